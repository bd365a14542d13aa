/** The version before, which many servers still use. What the tests use of it has the same types. */
declare module 'express4' {
  import express from 'express'
  export = express
}
