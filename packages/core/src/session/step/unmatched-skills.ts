import { hostRules, type Toolset } from '@repertoire/gate/internal'
import { type Skill, quote, shown } from '@repertoire/skill-md/internal'
import { unmatchedRules } from '../../catalog/unmatched-rules.ts'
import type { SessionContext } from '../context.ts'
import { scriptGate } from '../scripts/active-scripts.ts'

/** Skills that the problem names, and tools. */
const MAX_SKILLS = 10
const MAX_TOOLS = 10

type Needs = Pick<SessionContext, 'gate' | 'tools' | 'toolNames' | 'scripts' | 'firstReports' | 'reportProblem'>

/**
 * Reports once for each session the listed skills whose `allowed-tools` mean none of the host's tools: while one of them
 * is active, no tool can be used, which is rarely what the host expects.
 */
export function reportUnmatchedSkills(
  context: Needs,
  { skills, toolset, session }: { readonly skills: readonly Skill[]; readonly toolset: Toolset; session: string },
): void {
  const { gate, firstReports, reportProblem } = context
  if (gate.mode !== 'restrict') return
  const message = messageFor(context, skills, toolset)
  // Frameworks reopen a session for every step.
  if (message === undefined || !firstReports.isFirst(session, 'SKILLS_UNMATCHED')) return
  reportProblem({ code: 'SKILLS_UNMATCHED', message })
}

/** What was found, by the tools and the list: both stay the same objects from session to session. */
const messages = new WeakMap<Toolset, WeakMap<readonly Skill[], { readonly message: string | undefined }>>()

function messageFor(context: Needs, skills: readonly Skill[], toolset: Toolset): string | undefined {
  const byList = messages.get(toolset) ?? new WeakMap<readonly Skill[], { readonly message: string | undefined }>()
  messages.set(toolset, byList)
  const found = byList.get(skills) ?? { message: findMessage(context, skills, toolset) }
  byList.set(skills, found)
  return found.message
}

function findMessage(context: Needs, skills: readonly Skill[], toolset: Toolset): string | undefined {
  const known = context.scripts === undefined ? toolset : scriptGate(context, toolset.names).tools
  const isUnmatched = unmatchedTest(known)
  // A sub-agent may have other tools, and a skill that brings tools has these.
  const unmatched = skills.filter(
    (skill) => skill.manifest.context !== 'fork' && skill.manifest.toolsets.length === 0 && isUnmatched(skill),
  )
  if (unmatched.length === 0) return undefined
  const names = unmatched.slice(0, MAX_SKILLS).map(({ name }) => shown(name))
  const more = unmatched.length > MAX_SKILLS ? ` and ${unmatched.length - MAX_SKILLS} more` : ''
  const lines = toolsOf(unmatched).map((tool) => `'<your tool>': ${quote(tool)}`)
  const fix =
    lines.length === 0
      ? 'Give the agent these tools.'
      : `If some of your tools do the same, add them to the option \`toolMap\`: { ${lines.join(', ')} }.`
  return `No tool can be used while one of these skills is active, because its \`allowed-tools\` match none of your tools: ${names.join(', ')}${more}. ${fix}`
}

/** Returns whether all rules of a skill mean none of the tools. Many skills name the same few tools: each is compared once. */
function unmatchedTest(known: Toolset): (skill: Skill) => boolean {
  const meant = new Map<string, boolean>()
  const isMeant = (tool: string): boolean => {
    const found = meant.get(tool) ?? hostRules([{ tool }], known).matched.length > 0
    meant.set(tool, found)
    return found
  }
  // Rules mean a tool that stands for several others only together.
  const isWhole = known.names?.every((name) => known.find(name).as.length < 2) === true
  return (skill) => {
    const { allowedTools = [] } = skill.manifest
    if (allowedTools.length === 0 || allowedTools.some(({ tool }) => isMeant(tool))) return false
    return isWhole || unmatchedRules(skill, known)?.all === true
  }
}

/** The tools that skills name, those of most skills first. A rule for a whole server names no tool. */
function toolsOf(skills: readonly Skill[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const { manifest } of skills) {
    for (const tool of new Set(manifest.allowedTools?.map((rule) => rule.tool))) {
      if (!tool.includes('*')) counts.set(tool, (counts.get(tool) ?? 0) + 1)
    }
  }
  const tools = [...counts].toSorted(([, a], [, b]) => b - a).map(([tool]) => tool)
  return tools.slice(0, MAX_TOOLS)
}
