import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openAdapterSession } from '../../src/adapter.ts'
import { type MemoryFile, memorySource, openRepertoire, type Repertoire } from '../../src/index.ts'
import { directorySource } from '../../src/node/index.ts'

const manifest = (fields = '') => `---\nname: pdf\ndescription: The skill pdf.\n${fields}---\nBody.\n`
const FORBIDS = 'interface:\n  display_name: "PDF"\npolicy:\n  allow_implicit_invocation: false\n'

const open = (agentFile: MemoryFile, fields?: string): Promise<Repertoire> =>
  openRepertoire({
    sources: [memorySource({ skills: { pdf: { 'SKILL.md': manifest(fields), 'agents/openai.yaml': agentFile } } })],
  })
/** Whether a model, and whether a person may activate the skill. */
async function permitted(repertoire: Repertoire): Promise<readonly boolean[]> {
  const session = openAdapterSession(repertoire, { consent: () => true })
  const call = { id: '1', tool: 'activate_skill', input: { name: 'pdf' } }
  const byModel = await session.call(call, () => undefined)
  const byPerson = await openAdapterSession(repertoire, { consent: () => true }).activate('pdf')
  if (!byModel.ok && 'refusal' in byModel) expect(byModel.refusal.reason).toContain('only a person')
  return [byModel.ok, byPerson.ok]
}

function temporaryRoot(): string {
  const root = mkdtempSync(join(realpathSync(tmpdir()), 'repertoire-agent-file-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  return root
}

function put(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

it.each([
  ['true: SKILL.md decides', 'policy: { allow_implicit_invocation: true }', '', [true, true]],
  ['false: SKILL.md allows it', FORBIDS, 'disable-model-invocation: false\n', [false, true]],
  ['no policy', 'interface:\n  display_name: PDF\n', '', [true, true]],
  ['an empty policy', 'policy:\n', '', [true, true]],
  ['an empty file', '', '', [true, true]],
  ['the key elsewhere', 'allow_implicit_invocation: false\n', '', [true, true]],
])(
  '[MAN-7] lets the stricter of both files decide who may activate a skill (%s)',
  async (_, agentFile, fields, expected) => {
    const repertoire = await open(agentFile, fields)
    expect(await permitted(repertoire)).toEqual(expected)
  },
)

it.each([
  ['invalid YAML', 'interface: [\n', true],
  ['a list', '- a\n', true],
  ['a policy that is text', 'policy: strict\n', true],
  ['an alias', 'a: &a 1\nb: *a\n', true],
  ['invalid YAML with the policy', `${FORBIDS}interface: [\n`, false],
  ['a word for the policy', 'policy: { allow_implicit_invocation: "false" }\n', false],
  ['nothing for the policy', 'policy:\n  allow_implicit_invocation:\n', false],
  ['more than 64 KiB', `${FORBIDS}#${'x'.repeat(64 * 1024)}`, false],
])('[MAN-7] forbids what a broken agents/openai.yaml may forbid (%s)', async (_, file, shown) => {
  const repertoire = await open(file)
  expect(await permitted(repertoire)).toEqual([shown, true])
})

it('[MAN-7] follows no link to agents/openai.yaml', async () => {
  const root = temporaryRoot()
  put(root, 'pdf/SKILL.md', manifest())
  put(root, 'allows.yaml', 'policy: { allow_implicit_invocation: true }\n')
  mkdirSync(join(root, 'pdf/agents'))
  symlinkSync(join(root, 'allows.yaml'), join(root, 'pdf/agents/openai.yaml'))
  expect(await permitted(await openRepertoire({ sources: [directorySource({ root })] }))).toEqual([true, true])
})

it('[MAN-7] judges an activation by agents/openai.yaml as it is now', async () => {
  const root = temporaryRoot()
  put(root, 'pdf/SKILL.md', manifest())
  const repertoire = await openRepertoire({ sources: [directorySource({ root })] })
  put(root, 'pdf/agents/openai.yaml', FORBIDS)
  const session = openAdapterSession(repertoire, { consent: () => true })
  const call = { id: '1', tool: 'activate_skill', input: { name: 'pdf' } }
  const refused = await session.call(call, () => undefined)
  expect(refused).toMatchObject({ ok: false, refusal: { reason: expect.stringContaining('only a person') as string } })
})
