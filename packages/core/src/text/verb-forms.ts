/**
 * Returns a verb, which may be several words (`set up`), in the regular English forms of its first word: `review`,
 * `reviews`, `reviewed`, `reviewing`. A final consonant after a vowel is included both single and doubled, since that
 * depends on the stress, which the spelling does not show (`visited`, `planned`). Irregular forms (`wrote`) are not
 * known; a word with other letters than a to z has one form.
 * @param verb in lowercase
 */
export function verbForms(verb: string): readonly string[] {
  const [, word, rest] = /^([a-z]*[aeiouy][a-z]*)((?: .*)?)$/s.exec(verb) ?? []
  if (word === undefined || rest === undefined) return [verb]
  return [...new Set([word, ...endings(word)])].map((form) => `${form}${rest}`)
}

function endings(word: string): readonly string[] {
  const doubled = /[aeiou][bcdfghjklmnpqrstvz]$/.test(word) ? [`${word}${word.at(-1)}`] : []
  return [thirdPerson(word), ...[word, ...doubled].flatMap((stem) => [past(stem), participle(stem)])]
}

function thirdPerson(word: string): string {
  if (endsInConsonantY(word)) return `${word.slice(0, -1)}ies`
  return /(?:[sxzo]|[cs]h)$/.test(word) ? `${word}es` : `${word}s`
}

function past(word: string): string {
  if (word.endsWith('e')) return `${word}d`
  return endsInConsonantY(word) ? `${word.slice(0, -1)}ied` : `${word}ed`
}

function participle(word: string): string {
  if (word.endsWith('ie')) return `${word.slice(0, -2)}ying`
  return /[^eoy]e$/.test(word) ? `${word.slice(0, -1)}ing` : `${word}ing`
}

function endsInConsonantY(word: string): boolean {
  return /[^aeiou]y$/.test(word)
}
