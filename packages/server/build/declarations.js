import { API } from 'typescript/unstable/sync'

/** Calls `use` with the parsed declaration files, and the compiler that knows their types. */
export function withDeclarations(files, use) {
  const api = new API()
  try {
    const snapshot = api.updateSnapshot({ openFiles: files })
    const { program, checker } = snapshot.getDefaultProjectForFile(files[0])
    return use({ sources: files.map((file) => program.getSourceFile(file)), program, checker })
  } finally {
    api.close()
  }
}
