import { join } from 'node:path'
import { showName, type Diagnostic } from '@repertoire/core'

/** Lowercase letters and digits that look like a letter from a to z: those of Cyrillic, Greek, Armenian and Latin itself. */
const LOOKS_LIKE: ReadonlyMap<string, string> = new Map(
  Object.entries({
    a: 'аαɑ',
    b: 'ьЬƅ',
    c: 'сϲᴄ',
    d: 'ԁժ',
    e: 'еҽє',
    g: 'ɡցԍ',
    h: 'һհ',
    i: 'іιıɩ',
    j: 'јϳ',
    k: 'кκ',
    l: 'ӏ1ǀ',
    m: 'м',
    n: 'пηո',
    o: 'оοօ0',
    p: 'рρ',
    q: 'ԛզ',
    r: 'гᴦ',
    s: 'ѕꜱ',
    t: 'тτ',
    u: 'υսʋ',
    v: 'νѵ',
    w: 'ԝωѡ',
    x: 'хχ',
    y: 'уγү',
    z: 'ᴢ',
  }).flatMap(([letter, others]) => Array.from(others, (other) => [other, letter] as const)),
)

/**
 * Returns a warning for each name that a person could take for another one.
 * @param folder the one with the skills
 */
export function lookAlikes(names: Iterable<string>, others: Iterable<string>, folder: string): readonly Diagnostic[] {
  const known = new Map<string, string>()
  for (const other of others) known.set(asLatin(other), other)
  const found: Diagnostic[] = []
  for (const name of names) {
    const twin = known.get(asLatin(name))
    if (twin !== undefined && twin.normalize('NFKC').toLowerCase() !== name.normalize('NFKC').toLowerCase()) {
      const message = `The name ${described(name)} looks like ${described(twin)}, but is another name.`
      const hint = 'Check where both come from.'
      found.push({ code: 'NAME_LOOKALIKE', severity: 'warning', path: join(folder, name), message, hint })
    } else known.set(asLatin(name), name)
  }
  return found
}

function asLatin(name: string): string {
  return Array.from(name.normalize('NFKC').toLowerCase(), (character) => LOOKS_LIKE.get(character) ?? character).join(
    '',
  )
}

/** With the characters that are not ASCII named, since the names look the same. */
function described(name: string): string {
  const foreign = [...new Set(name)].filter((character) => character.codePointAt(0)! > 0x7f)
  const codes = foreign.map((character) => `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`)
  return codes.length === 0 ? showName(name) : `${showName(name)} (with ${codes.join(', ')})`
}
