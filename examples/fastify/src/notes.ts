type UserId = number | string

const notes = new Map<UserId, string[]>()

/** What this program does for its users. A real one would use its own tables. */
export const notesOf = (user: UserId): readonly string[] => notes.get(user) ?? []

export function addNote(user: UserId, text: string): void {
  // Some hooks may run twice for the same event.
  if (!notesOf(user).includes(text)) notes.set(user, [...notesOf(user), text])
}
