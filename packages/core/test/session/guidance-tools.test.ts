import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { openAdapterSession } from '../../src/adapter.ts'
import { type HostTools, memorySource, openRepertoire, type SkillSource } from '../../src/index.ts'
import { directorySource } from '../../src/node/index.ts'
import { RESULT, runner } from '../execution/foreign-runner.ts'

const root = mkdtempSync(join(tmpdir(), 'repertoire-guidance-'))
afterAll(() => rmSync(root, { recursive: true }))
/** The script of the examples, and the one of the skill that is active, as no run bit is set. */
const EXAMPLE = '/path/to/example/scripts/sum.py'
const REAL = join(root, 'sums/scripts/sum.py')

const manifest = (name: string, fields = ''): string => `---\nname: ${name}\ndescription: Adds.\n${fields}---\nAdd.\n`

/** Writes the skill `sums`, with scripts and rules. */
function write(scripts: Readonly<Record<string, number>> = { 'sum.py': 0o644 }, fields = ''): SkillSource {
  rmSync(join(root, 'sums'), { recursive: true, force: true })
  mkdirSync(join(root, 'sums/scripts'), { recursive: true })
  writeFileSync(join(root, 'sums/SKILL.md'), manifest('sums', fields))
  for (const [name, mode] of Object.entries(scripts)) writeFileSync(join(root, 'sums/scripts', name), '1', { mode })
  return directorySource({ root })
}

/** What a model with one tool is told by an activation, and where it then reads a script. */
async function told(source: SkillSource, tool: string, toolMap?: HostTools) {
  const repertoire = await openRepertoire({ sources: [source], toolMap })
  const session = openAdapterSession(repertoire, { consent: () => true })
  await session.step({ tools: [tool] })
  const { text = '' } = await session.call(
    { id: '1', tool: 'activate_skill', input: { name: 'sums' } },
    () => undefined,
  )
  const path = /- (scripts\/\S+)/.exec(text)?.[1]
  const read = { id: '2', tool: 'read_skill_resource', input: { path } }
  const outcome = await session.call(read, () => undefined)
  return {
    text,
    guidance: text.split('</skill_content>\n\n')[1] ?? '',
    reason: outcome.ok ? '' : outcome.refusal.reason,
  }
}

it.each([
  ['Bash', undefined, `{"command":"python3 `, '"}'],
  ['bash', undefined, `{"command":"python3 `, '"}'],
  ['exec_command', undefined, 'with the command `python3 ', '`'],
  ['run_command', undefined, 'with the command `python3 ', '`'],
  ['shellTool', { shellTool: { as: 'Bash', argument: 'cmdline' } }, `{"cmdline":"python3 `, '"}'],
] as const)(
  '[SHOW-6, SHOW-9, RUN-12] teaches a call of %s that runs the real file',
  async (tool, toolMap, begin, end) => {
    const full = await openRepertoire({ sources: [write()], listing: { guidance: 'full' }, toolMap })
    const { instructions } = await openAdapterSession(full).step({ tools: [tool] })
    expect(instructions).toContain(`Right: \`${tool}\` ${begin}${EXAMPLE} report.csv${end}`)
    const { guidance, reason } = await told(write(), tool, toolMap)
    expect(guidance).toContain(`Run scripts, never read them: \`${tool}\` ${begin}${REAL} <arguments>${end}.`)
    expect(reason).toMatch(/ scripts are run, not read\. Run it: /)
    expect(reason).toContain(`Run it: \`${tool}\` ${begin}${REAL}${end}.`)
  },
)

it('[SHOW-6, SHOW-9, RUN-12] teaches a program and its arguments for a tool that takes them', async () => {
  const { guidance, reason } = await told(write(), 'execute_command')
  expect(guidance).toContain(`\`execute_command\` {"program":"python3","args":["${REAL}","<arguments>"]}.`)
  expect(reason).toContain(`Run it: \`execute_command\` {"program":"python3","args":["${REAL}"]}.`)
})

it.each([
  ['a rule for its interpreter', 'sum.py', 'allowed-tools: Bash(python3:*)\n', `python3 ${REAL}`],
  ['a rule for the other name of it', 'sum.py', 'allowed-tools: Bash(python:*)\n', `python ${REAL}`],
  ['a script of a shell', 'sum.sh', 'allowed-tools: Bash(sh:*)\n', `sh ${join(root, 'sums/scripts/sum.sh')}`],
])('[RUN-12] teaches the form that the rules permit: %s', async (_, script, fields, command) => {
  const { guidance, reason } = await told(write({ [script]: 0o644 }, fields), 'Bash')
  expect(guidance).toContain(`\`Bash\` {"command":"${command} <arguments>"}`)
  expect(reason).toContain(`\`Bash\` {"command":"${command}"}`)
})

it('[RUN-12] teaches to run a script without an ending by its path: it is a script since it has the run bit', async () => {
  const { guidance } = await told(write({ sum: 0o755 }), 'Bash')
  expect(guidance).toContain(`\`Bash\` {"command":"${join(root, 'sums/scripts/sum')} <arguments>"}`)
})

it.each([
  [
    'no tool runs commands',
    'sendMail',
    '',
    'Nothing here runs its scripts: go on without them.',
    'Nothing here runs it',
  ],
  [
    'the rules hold no tool that runs commands',
    'Bash',
    'allowed-tools: Read\n',
    'Nothing here runs',
    'Nothing here runs it',
  ],
  [
    'the rules permit another form',
    'Bash',
    'allowed-tools: Bash(./scripts/sum.py:*)\n',
    'Run scripts as the skill says',
    'Run it as',
  ],
])('[RUN-12] teaches no call where %s', async (_, tool, fields, guidance, reason) => {
  const seen = await told(write(undefined, fields), tool)
  expect(seen.guidance).toContain(guidance)
  expect(seen.reason).toContain(reason)
  expect(seen.guidance + seen.reason).not.toContain('python3')
})

it('[RUN-12] teaches no command for a skill that is no folder on the disk', async () => {
  const skills = { sums: { 'SKILL.md': manifest('sums'), 'scripts/sum.py': '1' } }
  const { guidance, reason } = await told(memorySource({ layer: 'project', skills }), 'Bash')
  expect(guidance).toContain('Nothing here runs its scripts: go on without them.')
  expect(reason).toContain('Nothing here runs it: go on without it.')
})

it('[SHOW-9] names with an activation no file that the skill does not have', async () => {
  for (const tool of ['Bash', 'execute_command']) {
    const { text } = await told(write(), tool)
    const paths = text.match(/[\w./-]*\/[\w./-]+/g)
    expect(new Set(paths)).toEqual(new Set([join(root, 'sums'), 'scripts/sum.py', REAL, '/skill_content']))
  }
})

it('[NFR-7, SHOW-9] says with the first skill that has scripts how they are run, and once', async () => {
  const skills = {
    one: { 'SKILL.md': manifest('one') },
    two: { 'SKILL.md': manifest('two'), 'scripts/two.py': '1' },
    three: { 'SKILL.md': manifest('three'), 'scripts/three.py': '1' },
  }
  const sources = [memorySource({ layer: 'project', skills })]
  const session = openAdapterSession(await openRepertoire({ sources, scripts: { runner: runner(() => RESULT) } }), {
    consent: () => true,
  })
  const behind = async (name: string): Promise<string | undefined> => {
    const { text } = await session.call({ id: name, tool: 'activate_skill', input: { name } }, () => undefined)
    return text?.split('</skill_content>\n\n')[1]
  }
  expect(await behind('one')).toBe(
    'Paths start at the skill directory: read files with read_skill_resource {"path":"<path>"}. Call deactivate_skill when done.',
  )
  expect(await behind('two')).toBe(
    'Run scripts, never read them: `run_skill_script` {"path":"scripts/two.py","args":["<arguments>"],"skill":"two"}.',
  )
  expect(await behind('three')).toBeUndefined()
})
