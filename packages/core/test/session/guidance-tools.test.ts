import { expect, it } from 'vitest'
import { openAdapterSession } from '../../src/adapter.ts'
import { type HostTools, memorySource, openRepertoire } from '../../src/index.ts'

const SCRIPT = '/path/to/example/scripts/sum.py'

/** The guidance for a host with one tool that runs commands, at once and with an activation, and what a model is told that reads a script. */
async function told(tool: string, tools?: HostTools) {
  const skills = { sums: { 'SKILL.md': '---\nname: sums\ndescription: Adds.\n---\nAdd.\n', 'scripts/sum.py': '1' } }
  const sources = [memorySource({ layer: 'project', skills })]
  const full = await openRepertoire({ sources, listing: { guidance: 'full' }, ...(tools && { toolMap: tools }) })
  const { instructions } = openAdapterSession(full).beginStep([tool])
  const repertoire = await openRepertoire({ sources, ...(tools && { toolMap: tools }) })
  const session = openAdapterSession(repertoire, { consent: () => true })
  session.beginStep([tool])
  const { text } = await session.call({ id: '1', tool: 'activate_skill', input: { name: 'sums' } }, () => undefined)
  session.beginStep([tool])
  const call = { id: '2', tool: 'read_skill_resource', input: { path: 'scripts/sum.py' } }
  const outcome = await session.call(call, () => undefined)
  return { instructions, text, reason: outcome.ok ? '' : outcome.refusal.reason }
}

it.each([
  ['Bash', undefined, `{"command":"${SCRIPT} report.csv"}`],
  ['bash', undefined, `{"command":"${SCRIPT} report.csv"}`],
  ['exec_command', undefined, `with the command \`${SCRIPT} report.csv\``],
  ['run_command', undefined, `with the command \`${SCRIPT} report.csv\``],
  ['shellTool', { shellTool: { as: 'Bash', argument: 'cmdline' } }, `{"cmdline":"${SCRIPT} report.csv"}`],
  ['execute_command', undefined, `{"program":"python3","args":["${SCRIPT}","report.csv"]}`],
] as const)('[SHOW-6, SHOW-9] teaches a call of %s as it is really made', async (tool, tools, call) => {
  const { instructions, text, reason } = await told(tool, tools)
  expect(instructions).toContain(`Right: \`${tool}\` ${call}`)
  expect(text).toContain(`Run scripts, never read them: \`${tool}\` ${call}`)
  // A compound command is refused under most rules, so none is taught.
  expect(reason).toContain(`"${tool}"`)
  expect(reason).not.toMatch(/&&|"command"/)
})
