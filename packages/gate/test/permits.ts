import type { GateRefusal } from '../src/policy-check.ts'
import { judge, type Policy, type Toolset } from '../src/internal.ts'

export type PolicyVerdict =
  | { readonly allowed: true }
  | ({ readonly allowed: false; readonly skill?: string } & Omit<GateRefusal, 'code' | 'refusedBy'>)

/** What a policy alone says of a call: nothing is protected, and no skill has scripts. */
export async function permits(
  policy: Policy,
  call: { readonly tool: string; readonly input: unknown },
  context: { readonly tools: Toolset; readonly cwd?: string | undefined },
): Promise<PolicyVerdict> {
  const gate = {
    mode: 'restrict',
    composition: 'all',
    host: policy,
    protect: [],
    programs: 'any',
    safeGit: false,
  } as const
  const judgement = await judge(call, [], { ...context, gate })
  if (judgement.allowed) return { allowed: true }
  const { code: _, refusedBy, ...refusal } = judgement.refusal
  return { allowed: false, ...refusal, ...(refusedBy.skill !== undefined && { skill: refusedBy.skill }) }
}
