import type { Diagnostic } from '../ports/diagnostic.ts'
import type { Manifest } from '../ports/manifest.ts'
import { shown } from '../text/quote.ts'
import { findHandedOut } from './handed-out.ts'
import { openToolTable } from './host-tools/table.ts'

/** Rules that one finding names. */
const MAX_NAMED = 5

/**
 * Advises the author of a skill on rules that hand out more than their words say. The host's tools are not known here:
 * those that are well known count.
 */
export async function adviseOnRules(
  { manifest }: { readonly manifest?: Manifest },
  path: string,
): Promise<readonly Diagnostic[]> {
  const { runsCode } = await findHandedOut(manifest?.allowedTools, openToolTable({}).of(undefined))
  if (runsCode.length === 0) return []
  const more = runsCode.length > MAX_NAMED ? `, and ${runsCode.length - MAX_NAMED} more` : ''
  return [
    {
      code: 'RULE_RUNS_CODE',
      severity: 'info',
      path,
      message: `allowed-tools hands out programs that run any code: ${runsCode.slice(0, MAX_NAMED).map(shown).join(', ')}${more}.`,
      hint: 'Name the commands that are needed word by word, such as Bash(npm test): a host may refuse rules for whole programs of this kind.',
    },
  ]
}
