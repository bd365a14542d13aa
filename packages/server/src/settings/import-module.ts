/** A file of its own, since only a file that Node loads itself can import modules (`launch.ts`). */
export const importModule = (url: string): Promise<{ default?: unknown }> => import(url)
