/**
 * Copies a text. If the browser refuses, it selects the text on the page, to be copied by hand.
 * Returns whether it is copied.
 */
export async function copy(text: string, shown: Element | null): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    if (shown) getSelection()?.selectAllChildren(shown)
    return false
  }
}
