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
const found = ({ catalog }: Repertoire) => catalog.diagnostics.map(({ code, severity }) => [code, severity])
/** Whether a model, and whether a person sees the skill. */
const seen = ({ catalog }: Repertoire) => [false, true].map((person) => catalog.list({ viewer: { person } }).length > 0)

function temporaryRoot(): string {
  const root = mkdtempSync(join(realpathSync(tmpdir()), 'repertoire-agent-file-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  return root
}

function put(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

it('[MAN-7] hides a skill from models if its agents/openai.yaml does not allow implicit invocation, and says so', async () => {
  const repertoire = await open(FORBIDS)
  expect(seen(repertoire)).toEqual([false, true])
  expect(repertoire.catalog.get('pdf').manifest.disableModelInvocation).toBe(true)
  expect(found(repertoire)).toEqual([['EXPLICIT_ONLY', 'info']])
  const { verdict, text } = repertoire.explain('pdf')
  expect([verdict, text]).toEqual(['hidden', expect.stringContaining('its agents/openai.yaml')])
  const session = openAdapterSession(repertoire, { consent: () => true })
  expect(await session.activate('pdf')).toMatchObject({ ok: true })
})

it.each([
  ['true: SKILL.md decides', 'policy: { allow_implicit_invocation: true }', '', [true, true]],
  [
    'true: SKILL.md forbids it',
    'policy: { allow_implicit_invocation: true }',
    'disable-model-invocation: true\n',
    [false, true],
  ],
  ['false: SKILL.md allows it', FORBIDS, 'disable-model-invocation: false\n', [false, true]],
  ['false: both forbid it', FORBIDS, 'disable-model-invocation: true\n', [false, true]],
  ['no policy', 'interface:\n  display_name: PDF\n', '', [true, true]],
  ['an empty policy', 'policy:\n', '', [true, true]],
  ['an empty file', '', '', [true, true]],
  ['the key elsewhere', 'allow_implicit_invocation: false\n', '', [true, true]],
])('[MAN-7] lets the stricter of both files decide (%s)', async (_, agentFile, fields, expected) => {
  const repertoire = await open(agentFile, fields)
  expect(seen(repertoire)).toEqual(expected)
  expect(found(repertoire).filter(([code]) => code === 'AGENT_FILE_INVALID')).toEqual([])
})

it.each([
  ['invalid YAML', 'interface: [\n', true],
  ['a list', '- a\n', true],
  ['a policy that is text', 'policy: strict\n', true],
  ['an alias', 'a: &a 1\nb: *a\n', true],
  ['invalid YAML with the policy', `${FORBIDS}interface: [\n`, false],
  ['a word for the policy', 'policy: { allow_implicit_invocation: "false" }\n', false],
  ['nothing for the policy', 'policy:\n  allow_implicit_invocation:\n', false],
  ['more than 64 KiB', `${FORBIDS}#${'x'.repeat(64 * 1024)}`, false],
])(
  '[MAN-7] loads a skill with a broken agents/openai.yaml, and forbids what it may forbid (%s)',
  async (_, file, shown) => {
    const repertoire = await open(file)
    expect(seen(repertoire)).toEqual([shown, true])
    expect(found(repertoire)).toEqual([
      ['AGENT_FILE_INVALID', 'warning'],
      ...(shown ? [] : [['EXPLICIT_ONLY', 'info']]),
    ])
  },
)

it('[MAN-7] reads agents/openai.yaml in a folder, follows no link, and sees a change at the next reload', async () => {
  const root = temporaryRoot()
  for (const name of ['pdf', 'linked']) put(root, `${name}/SKILL.md`, manifest().replaceAll('pdf', name))
  put(root, 'pdf/agents/openai.yaml', FORBIDS)
  put(root, 'allows.yaml', 'policy: { allow_implicit_invocation: true }\n')
  mkdirSync(join(root, 'linked/agents'))
  symlinkSync(join(root, 'allows.yaml'), join(root, 'linked/agents/openai.yaml'))
  const repertoire = await openRepertoire({ sources: [directorySource({ root })] })
  const shown = () => repertoire.catalog.list({ viewer: {} }).map(({ name }) => name)
  expect(shown()).toEqual([])
  expect(found(repertoire)).toContainEqual(['AGENT_FILE_INVALID', 'warning'])
  put(root, 'pdf/agents/openai.yaml', 'policy: { allow_implicit_invocation: true }\n')
  await repertoire.reload({ force: true })
  expect(shown()).toEqual(['pdf'])
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
