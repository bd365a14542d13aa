import { API } from 'typescript/unstable/sync'

/** Calls `use` with the compiler's view of a declaration file. */
export function withCompiler(file, use) {
  const api = new API()
  try {
    const project = api.updateSnapshot({ openFiles: [file] }).getDefaultProjectForFile(file)
    return use({ checker: project.checker, source: project.program.getSourceFile(file) })
  } finally {
    api.close()
  }
}
