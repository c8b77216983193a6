/** The engine copies shorter substrings anyway. */
const MIN_SHARED_CHARS = 13

/**
 * Returns the same text in separate memory. A substring keeps the whole text in memory, and here the whole text is a
 * file.
 */
export function copyString(text: string): string {
  // `join` builds a flat string at once; `+` may keep references to its parts.
  return text.length < MIN_SHARED_CHARS ? text : [text.slice(0, 1), text.slice(1)].join('')
}

/** Copies a text into separate memory. */
export type StringCopier = typeof copyString

/** In UTF-16 code units. Longer texts are rarely the same in two files. */
const MAX_REPEATED_CHARS = 64

/** Returns a copier that copies each short text once: many skills have the same version, license, tool or author. */
export function createStringCopier(): StringCopier {
  const known = new Map<string, string>()
  return (text) => {
    if (text.length > MAX_REPEATED_CHARS) return copyString(text)
    let copy = known.get(text)
    if (copy === undefined) known.set((copy = copyString(text)), copy)
    return copy
  }
}
