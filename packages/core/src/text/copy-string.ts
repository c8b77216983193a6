/** Shorter parts are copied by the engine anyway. */
const MIN_SHARED_CHARS = 13

/**
 * The same text in memory of its own. A part of a text keeps the whole of it from being freed, and here the whole is a
 * file.
 */
export function copyString(text: string): string {
  // What is joined from an array is put together at once, unlike what `+` joins.
  return text.length < MIN_SHARED_CHARS ? text : [text.slice(0, 1), text.slice(1)].join('')
}

/** Copies a text into memory of its own. */
export type StringCopier = typeof copyString

/** In UTF-16 units. Longer texts are hardly ever the same in two files. */
const MAX_REPEATED_CHARS = 64

/** Returns the same copy of each short text for as long as it is used: a version, a license, a tool or an author is many skills'. */
export function createStringCopier(): StringCopier {
  const known = new Map<string, string>()
  return (text) => {
    if (text.length > MAX_REPEATED_CHARS) return copyString(text)
    let copy = known.get(text)
    if (copy === undefined) known.set((copy = copyString(text)), copy)
    return copy
  }
}
