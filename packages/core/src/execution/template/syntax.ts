import type * as Engine from 'liquidjs'

/** What of the engine a template is divided with. */
type Divider = Pick<typeof Engine, 'Tokenizer' | 'TypeGuards'>

/** A place in a template that is not Liquid, and its line, 1-based. */
export interface SyntaxProblem {
  readonly message: string
  readonly line: number
}

// The grammar of what stands between the delimiters. Its alternatives exclude each other, so that each text is read once.
const WORD = String.raw`[\w\-?\u0080-\uFFFF]`
const NAME = `(?![\\d-]+(?!${WORD}))${WORD}+`
const NUMBER = String.raw`-?\d+(?:\.\d+)?(?!${WORD})`
const QUOTED = String.raw`"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*'`
const KEY = String.raw`\[\s*(?:${QUOTED}|${NUMBER}|${NAME}(?:\.${NAME})*)\s*\]`
const PLAIN = String.raw`(?:${QUOTED}|${NUMBER}|${NAME}(?:\.${WORD}+|${KEY})*)`
const VALUE = String.raw`(?:${PLAIN}|\(\s*${PLAIN}\s*\.\.\s*${PLAIN}\s*\))`
const OPERAND = String.raw`(?:not\s+)*${VALUE}`
const OPERATOR = String.raw`(?:==|!=|>=|<=|>|<|(?:contains|and|or)(?!${WORD}))`
const ARGUMENT = String.raw`(?:${NAME}\s*:\s*)?${VALUE}`
const FILTER = String.raw`\|\s*${NAME}(?:\s*:\s*${ARGUMENT}(?:\s*,\s*${ARGUMENT})*)?`
const EXPRESSION = String.raw`${OPERAND}(?:\s*${OPERATOR}\s*${OPERAND})*(?:\s*${FILTER})*`
const LOOP = String.raw`${NAME}\s+in\s+${VALUE}(?:\s*,?\s*(?:reversed|(?:limit|offset|cols)\s*:\s*${VALUE}))*`
const VALUES = String.raw`${VALUE}(?:\s*(?:,|or(?!${WORD}))\s*${VALUE})*`

/** What stands behind the name of each tag. A tag that is not here takes nothing. */
const TAGS: ReadonlyMap<string, RegExp> = new Map([
  ...['if', 'elsif', 'unless', 'case', 'echo'].map((tag) => [tag, whole(EXPRESSION)] as const),
  ['when', whole(VALUES)],
  ['assign', whole(String.raw`${NAME}\s*=\s*${EXPRESSION}`)],
  ['capture', whole(`${NAME}|${QUOTED}`)],
  ['increment', whole(NAME)],
  ['decrement', whole(NAME)],
  ['for', whole(LOOP)],
  ['tablerow', whole(LOOP)],
  ['cycle', whole(String.raw`(?:${VALUE}\s*:\s*)?${VALUE}(?:\s*,\s*${VALUE})*`)],
])
const OUTPUT = whole(EXPRESSION)
const NOTHING = whole('')

function whole(grammar: string): RegExp {
  return new RegExp(String.raw`^\s*(?:${grammar})\s*$`)
}

/**
 * Finds what the engine would leave out in silence, such as `X` in `{{ name X }}`, or the missing value of
 * `{% if a > %}`.
 * @param template one that the engine has parsed
 */
export function syntaxProblem(template: string, { Tokenizer, TypeGuards }: Divider): SyntaxProblem | undefined {
  let isComment = false
  for (const token of new Tokenizer(template).readTopLevelTokens()) {
    const [line = 1] = token.getPosition()
    if (TypeGuards.isTagToken(token)) {
      const { name, args } = token
      if (name === 'comment' || name === 'endcomment') isComment = name === 'comment'
      const problem = isComment || name === '#' ? undefined : tagProblem(name, args, line)
      if (problem !== undefined) return problem
    } else if (TypeGuards.isOutputToken(token) && !isComment) {
      const text = token.input.slice(...token.contentRange)
      if (!OUTPUT.test(text)) return notLiquid(`{{ ${text.trim()} }}`, line)
    }
  }
  return undefined
}

function tagProblem(name: string, args: string, line: number): SyntaxProblem | undefined {
  if (name !== 'liquid') {
    const isWritten = (TAGS.get(name) ?? NOTHING).test(args) || (name === 'echo' && args.trim() === '')
    return isWritten ? undefined : notLiquid(`{% ${`${name} ${args}`.trim()} %}`, line)
  }
  for (const [index, each] of args.split('\n').entries()) {
    const [, tag = '', rest = ''] = /^\s*(\S*)([^]*)$/.exec(each) ?? []
    if (['comment', 'raw', 'liquid'].includes(tag)) return notLiquid(`{% liquid ${tag} %}`, line + index)
    const problem = tag === '' || tag.startsWith('#') ? undefined : tagProblem(tag, rest, line + index)
    if (problem !== undefined) return problem
  }
  return undefined
}

function notLiquid(text: string, line: number): SyntaxProblem {
  return { message: `"${text}" is not complete, or holds something that does not belong there`, line }
}
