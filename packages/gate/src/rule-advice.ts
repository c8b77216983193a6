import { type Diagnostic, type Manifest, shown } from '@repertoire/skill-md/internal'
import { findHandedOut, type HandedOut } from './handed-out.ts'
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
  const { runsCode, noEffect } = await findHandedOut(manifest?.allowedTools, openToolTable({}).of(undefined))
  return [...adviseOnCode(runsCode, path), ...adviseOnEffect(noEffect, path)]
}

function adviseOnCode(runsCode: readonly string[], path: string): readonly Diagnostic[] {
  if (runsCode.length === 0) return []
  return [
    {
      code: 'RULE_RUNS_CODE',
      severity: 'info',
      path,
      message: `allowed-tools hands out programs that run any code: ${listed(runsCode)}.`,
      hint: 'Name the commands that are needed word by word, such as Bash(npm test): a host may refuse rules for whole programs of this kind.',
    },
  ]
}

function adviseOnEffect(noEffect: HandedOut['noEffect'], path: string): readonly Diagnostic[] {
  const [first] = noEffect
  if (first === undefined) return []
  return [
    {
      code: 'RULE_PERMITS_NOTHING',
      severity: 'warning',
      path,
      message: `allowed-tools has rules that permit nothing: ${listed(noEffect.map(({ rule }) => rule))}. In ${shown(first.rule)}, ${first.why}.`,
      hint: 'Write the command in full, or a prefix such as Bash(git log:*). Remove the rules that are not needed.',
    },
  ]
}

/** The first rules, and how many more there are. */
function listed(rules: readonly string[]): string {
  const more = rules.length > MAX_NAMED ? `, and ${rules.length - MAX_NAMED} more` : ''
  return `${rules.slice(0, MAX_NAMED).map(shown).join(', ')}${more}`
}
