import type { Dialect, Driver } from 'kysely'

/** The dialect with some functions of its driver replaced. */
export function withDriver(
  dialect: Dialect,
  replaced: (driver: Driver) => Partial<Driver>,
): Dialect {
  return {
    createDriver() {
      const driver = dialect.createDriver()
      return {
        init: () => driver.init(),
        acquireConnection: () => driver.acquireConnection(),
        beginTransaction: (...begin) => driver.beginTransaction(...begin),
        commitTransaction: (connection) => driver.commitTransaction(connection),
        rollbackTransaction: (connection) => driver.rollbackTransaction(connection),
        releaseConnection: (connection) => driver.releaseConnection(connection),
        destroy: () => driver.destroy(),
        ...replaced(driver),
      }
    },
    createAdapter: () => dialect.createAdapter(),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createIntrospector: (db) => dialect.createIntrospector(db),
  }
}
