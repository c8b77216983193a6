import * as fc from 'fast-check'

const letter = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...Array.from('abc-=:./~^@%+,#!{}[]()*?;&|<>$`"\'\\ \n\t_')) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('é', 'e\u0301', 'ß', '字', '😀', '👨‍👩‍👧', 'ﷺ', '\u00a0', '\u2028', '\u200b', '\u{e0041}'),
  },
)

const argument = fc.array(letter, { maxLength: 8 }).map((letters) => letters.join(''))

/** The ways to write one character of a word. */
const WRITTEN: readonly ((character: string) => string)[] = [
  (character) => (character === "'" ? "\\'" : `'${character}'`),
  (character) => (character === '!' ? "'!'" : `"${character.replace(/["\\$`]/, '\\$&')}"`),
  (character) => (character === '\n' ? "'\n'" : `\\${character}`),
]

/** A command of git with random arguments, each written in a random mixture of quotes and escapes. */
export const quotedCommand = fc
  .array(fc.tuple(argument, fc.infiniteStream(fc.nat({ max: WRITTEN.length }))), { maxLength: 4 })
  .map((args) => {
    const words = args.map(([text]) => text)
    const written = args.map(([text, styles]) => {
      const whole = `'${text.replaceAll("'", "'\\''")}'`
      if (text === '' || styles.next().value === WRITTEN.length) return whole
      return Array.from(text, (character) => WRITTEN[(styles.next().value ?? 0) % WRITTEN.length]!(character)).join('')
    })
    return { line: ['git', ...written].join(' '), words: [['git', ...words]] }
  })

const TOKENS = (
  'git|log|a|b|x|ab|-exec|--|-|a=|a=b|a=~|:~|x=a:~|~|~/|~+|HEAD~1|HEAD^|=|=x|==|#|#x|!|!!|!git|!x|\'|\'|\'|"|"|"|\'\'|""|\\|\\\\|' +
  '\\\'|\\"|\\$|\\`|\\!|;|;;|&|&&|(|)|((|))|[|]|[a]|[[|]]|{|}|{}|{a,b}|{a..c}|a{,b}|*|?|**|@(a)|!(a)|+(a|)|$|$x|$x@P|${x@P}|$\'|$"|' +
  '$(id)|$((1))|`id`|<(id)|>(id)|>x|>|<|<a|2>x|>&2|{f}>x|<<x|<<<x|%|%1|^|^a^b|:|,|.|..|./|/|time|function|if|then|in|do|id|rm|env|' +
  'é|😀|coproc|EOF|\\a|x@P|a[$(id)]=1|-v'
)
  .split('|')
  .concat([
    '|',
    '||',
    '|&',
    '\n',
    '\n',
    '\\\n',
    '\t',
    '\r',
    '\u00a0',
    '\u2028',
    '\u3000',
    '\u0085',
    '\v',
    '\f',
    '\u200b',
    '\u0007',
    '\ufeff',
  ])

const token = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...TOKENS) }, { weight: 2, arbitrary: fc.constant(' ') })

/** Fragments of shell syntax in any order. */
export const soup = fc.array(token, { maxLength: 9 }).map((tokens) => `git ${tokens.join('')}`)

/** A well-formed command with a fragment put in anywhere. */
export const mutated = fc
  .tuple(quotedCommand, fc.constantFrom(...TOKENS), fc.nat())
  .map(([{ line }, fragment, seed]) => {
    const at = 'git'.length + (seed % (line.length - 'git'.length + 1))
    return line.slice(0, at) + fragment + line.slice(at)
  })

const joint = fc.constantFrom('; ', ' && ', ' | ', '\n', ' ;', '&&', '|', ' \\\n && ')

/** Several commands, joined. */
export function listOf(part: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .tuple(part, fc.array(fc.tuple(joint, part), { minLength: 1, maxLength: 3 }))
    .map(([first, rest]) => first + rest.map(([between, line]) => between + line).join(''))
}
