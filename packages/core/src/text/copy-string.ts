/** Shorter ones are copied by the engine anyway. */
const SHARED = 13

/**
 * The same text in memory of its own. A part of a text keeps the whole of it from being freed, and here the whole is a
 * file.
 */
export function copyString(text: string): string {
  // What is joined from an array is put together at once, unlike what `+` joins.
  return text.length < SHARED ? text : [text.slice(0, 1), text.slice(1)].join('')
}

/** Gives texts in memory of their own. */
export type StringCopier = typeof copyString

/** In UTF-16 units. Longer texts are hardly ever the same in two files. */
const ALIKE = 64

/** Gives one of each short text for as long as it is used: a version, a license, a tool or an author is many skills'. */
export function createStringCopier(): StringCopier {
  const known = new Map<string, string>()
  return (text) => {
    if (text.length > ALIKE) return copyString(text)
    let own = known.get(text)
    if (own === undefined) known.set((own = copyString(text)), own)
    return own
  }
}
