import { quote } from '@repertoire/skill-md/internal'
import { allowUrl } from './addresses/allow-url.ts'
import { denyUrl } from './addresses/deny-url.ts'
import { joinedUrls, mayBeAddress } from './addresses/joined-urls.ts'
import { type CallArguments, type ReadCall, textsOf } from './call.ts'
import { allowPath } from './paths/allow-path.ts'
import { denyPath } from './paths/deny-path.ts'
import { joinedPaths } from './paths/joined-paths.ts'
import type { JoinedText } from './other-arguments.ts'
import type { ToolArgument } from './ports/tool.ts'
import { allowText, type Check, denySql, denyText, unjudged } from './texts.ts'

/** One check for each argument that rules speak of, and for what other arguments make of its paths and addresses. */
export function argumentChecks(
  call: ReadCall,
  argument: ToolArgument,
  read: Extract<CallArguments, { readonly values: unknown }>,
  denies: boolean,
): readonly Check[] {
  const { kind, reads } = argument
  const checkOf = (name: string, text: string): Check => {
    if (kind === 'path') return denies ? denyPath(text, call.cwd, reads === 'below') : allowPath(text, call.cwd)
    if (kind === 'url') return denies ? denyUrl(text) : allowUrl(text)
    if (!denies) return allowText(name, text, kind === 'sql')
    return kind === 'sql' ? denySql(text) : denyText(text)
  }
  const declared = read.values.map(({ name, text, expected = 'text' }) =>
    text === undefined ? unjudged(denies, `its argument ${quote(name)} is not ${expected}`) : checkOf(name, text),
  )
  const others = joinedTexts(call, argument, textsOf(read), denies).map(({ name, text }) => {
    if (text === undefined) return unjudged(denies, `its argument ${quote(name)} cannot be read`)
    return { ...checkOf(name, text), hint: `Its argument ${quote(name)} counts too: leave it out, or change it.` }
  })
  return [...declared, ...others]
}

function joinedTexts(
  call: ReadCall,
  argument: ToolArgument,
  texts: readonly string[],
  denies: boolean,
): readonly JoinedText[] {
  if (argument.kind === 'path') return joinedPaths(call, texts, argument)
  if (argument.kind !== 'url') return []
  const urls = joinedUrls(call, texts, argument)
  if (!denies) return urls
  return urls.filter(({ text, isAddress }) => isAddress || text === undefined || mayBeAddress(text))
}
