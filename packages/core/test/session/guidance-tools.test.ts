import { expect, it } from 'vitest'
import { openAdapterSession } from '../../src/adapter.ts'
import { type HostTools, memorySource, openRepertoire } from '../../src/index.ts'

const SCRIPT = '/path/to/example/scripts/sum.py'
const OPEN = '<absolute path>'

/** The guidance for a host with one tool that runs commands, at once and with an activation, and what a model is told that reads a script. */
async function told(tool: string, tools?: HostTools) {
  const skills = { sums: { 'SKILL.md': '---\nname: sums\ndescription: Adds.\n---\nAdd.\n', 'scripts/sum.py': '1' } }
  const sources = [memorySource({ layer: 'project', skills })]
  const full = await openRepertoire({ sources, listing: { guidance: 'full' }, ...(tools && { toolMap: tools }) })
  const { instructions } = await openAdapterSession(full).step({ tools: [tool] })
  const repertoire = await openRepertoire({ sources, ...(tools && { toolMap: tools }) })
  const session = openAdapterSession(repertoire, { consent: () => true })
  await session.step({ tools: [tool] })
  const { text } = await session.call({ id: '1', tool: 'activate_skill', input: { name: 'sums' } }, () => undefined)
  const call = { id: '2', tool: 'read_skill_resource', input: { path: 'scripts/sum.py' } }
  const outcome = await session.call(call, () => undefined)
  return { instructions, text, reason: outcome.ok ? '' : outcome.refusal.reason }
}

it.each([
  ['Bash', undefined, `{"command":"${SCRIPT} report.csv"}`, `{"command":"${OPEN} <arguments>"}`],
  ['bash', undefined, `{"command":"${SCRIPT} report.csv"}`, `{"command":"${OPEN} <arguments>"}`],
  ['exec_command', undefined, `with the command \`${SCRIPT} report.csv\``, `with the command \`${OPEN} <arguments>\``],
  ['run_command', undefined, `with the command \`${SCRIPT} report.csv\``, `with the command \`${OPEN} <arguments>\``],
  [
    'shellTool',
    { shellTool: { as: 'Bash', argument: 'cmdline' } },
    `{"cmdline":"${SCRIPT} report.csv"}`,
    `{"cmdline":"${OPEN} <arguments>"}`,
  ],
  [
    'execute_command',
    undefined,
    `{"program":"python3","args":["${SCRIPT}","report.csv"]}`,
    `{"program":"<interpreter>","args":["${OPEN}","<arguments>"]}`,
  ],
] as const)('[SHOW-6, SHOW-9] teaches a call of %s as it is really made', async (tool, tools, example, call) => {
  const { instructions, text, reason } = await told(tool, tools)
  expect(instructions).toContain(`Right: \`${tool}\` ${example}`)
  expect(text).toContain(`Run scripts, never read them: \`${tool}\` ${call}`)
  // A compound command is refused under most rules, so none is taught.
  expect(reason).toContain(`"${tool}"`)
  expect(reason).not.toMatch(/&&|"command"/)
})

it('[SHOW-9] names with an activation no file that the skill does not have', async () => {
  for (const tool of ['Bash', 'execute_command']) {
    const { text = '' } = await told(tool)
    const paths = text.match(/[\w.-]+\/[\w./-]+/g)
    expect(new Set(paths)).toEqual(new Set(['memory/sums', 'scripts/sum.py']))
  }
})
