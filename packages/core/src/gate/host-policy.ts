import { parseAllowedTools } from '../manifest/index.ts'
import type { HostPolicy } from '../ports/gate.ts'
import type { ToolRule } from '../ports/manifest.ts'
import type { Policy } from './policy.ts'

/**
 * The host's policy as the gate takes it. A rule that cannot be read as meant is an error and never read as more.
 * @throws {TypeError} naming the rule, what is wrong with it and what to write
 */
export function readHostPolicy({ allow, deny }: Omit<HostPolicy, 'protect'>): Policy {
  const denied = deny === undefined ? [] : rulesOf('deny', deny)
  return {
    lists: allow === undefined ? [] : [{ rules: rulesOf('allow', allow) }],
    ...(denied.length > 0 && { denied: [{ rules: denied }] }),
  }
}

function rulesOf(key: 'allow' | 'deny', rules: unknown): readonly ToolRule[] {
  if (!Array.isArray(rules) || rules.some((rule) => typeof rule !== 'string')) {
    throw new TypeError(`\`policy.${key}\` is no list of rules. Give strings such as "Read" or "Bash(git:*)".`)
  }
  const result = parseAllowedTools(rules as string[])
  if (result.ok) return result.rules
  throw new TypeError(
    `\`policy.${key}\` holds ${JSON.stringify(result.rule)}, which ${result.problem}. ${result.hint}.`,
  )
}
