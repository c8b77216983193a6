import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isTextOfContent, openAdapterSession } from '../../../src/adapter.ts'
import {
  clientConsentRequest,
  type ClientSkillRequest,
  type ConsentRequest,
  openRepertoire,
  type RepertoireOptions,
  type ScriptRunner,
  type SessionOptions,
} from '../../../src/index.ts'
import { directorySource } from '../../../src/node/index.ts'

let root: string

beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'repertoire-client-')))
  const write = (path: string, text: string): void => {
    mkdirSync(join(root, path, '..'), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  write(
    'pdf/SKILL.md',
    `---\nname: pdf\ndescription: "Fills forms in ${root}/pdf.\\u200B"\nallowed-tools: Read Bash(make:*) Grep Bash(${root}/pdf/run.sh)\ndisallowed-tools: Write(/srv/**)\nhooks:\n  pre: [scripts/check.sh]\n---\nBody.\n`,
  )
  write('pdf/scripts/check.sh', 'echo 1\n')
  write('greet/SKILL.md', '---\nname: greet\ndescription: d\ntype: template\n---\n```\nHello.\n```\n')
})

afterAll(() => rmSync(root, { recursive: true, force: true }))

const runner: ScriptRunner = {
  name: 'box',
  isolation: { name: 'bubblewrap', isolated: true, notes: [`Reads ${homedir()}/.cache.`] },
  supports: () => true,
  run: () => Promise.reject(new Error('not run')),
}

/** The request for a call, as a session makes it. */
async function requestFor(
  call: { readonly tool: string; readonly input: unknown },
  session: SessionOptions = {},
  options: Partial<RepertoireOptions> = {},
): Promise<ConsentRequest> {
  const repertoire = await openRepertoire({
    sources: [directorySource({ root, layer: 'project' })],
    ...options,
    scripts: { hooks: true, runner, ...options.scripts },
  })
  const opened = openAdapterSession(repertoire, {
    hostTools: ['Read', 'Bash', 'Write'],
    cwd: process.cwd(),
    ...session,
  })
  const request = (
    await (await opened.step({ tools: ['Read', 'Bash', 'Write'] })).preview({ id: 'c', ...call }, { asks: true })
  ).waits
  if (request === undefined) throw new Error('Nothing is asked.')
  return request
}

const activation = (name: string, args?: string) => ({
  tool: 'activate_skill',
  input: { name, args },
})

/** Every text in a value, keys included. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, item]) => [key, ...textsIn(item)])
}

describe('a consent request for a client', () => {
  it('[ASK-4] holds what a person needs to decide, and neither paths nor internals of the server', async () => {
    const request = await requestFor(activation('pdf', `${root}/pdf/form.pdf`), { enforcement: 'preapprove' })
    const shown = clientConsentRequest(request)
    expect(shown).toMatchObject({
      kind: 'activation',
      id: request.id,
      skill: 'pdf',
      description: String.raw`Fills forms in skill:pdf.\u{200B}`,
      args: 'skill:pdf/form.pdf',
      layer: 'project',
      digest: request.digest,
      mode: 'preapprove',
      meaning: expect.stringContaining('need no further approval'),
      allowedTools: expect.arrayContaining(['Read', 'Bash(make:*)', 'Bash(skill:pdf/run.sh)']),
      disallowedTools: ['Write(/srv/**)'],
      warnings: ['this agent has no tool for: Grep', expect.stringContaining('it may do anything that make')],
      scripts: ['scripts/check.sh'],
      hooks: ['scripts/check.sh'],
      toolsets: [],
      runner: { name: 'box', isolation: 'bubblewrap', isolated: true, network: false, notes: [] },
    })
    expect(JSON.parse(JSON.stringify(shown))).toEqual(shown)
    for (const path of [root, homedir(), request.source!]) {
      for (const text of textsIn(shown)) expect(text).not.toContain(path)
    }
  })

  it('[ASK-4] holds the text of the request, which still says what is agreed to', async () => {
    const request = await requestFor(activation('pdf'))
    const { text } = clientConsentRequest(request)
    const left = request.text.split('\n').filter((line) => !text.split('\n').includes(line))
    expect(left.map((line) => line.slice(0, line.indexOf(':')).trim())).toEqual([
      'what it says',
      'from',
      'folder',
      'tools',
      'of the runner',
    ])
    expect(text).toContain('\n  from:          project layer\n')
    expect(isTextOfContent(text, request)).toBe(true)
  })

  it('[ASK-4] names the mode, and that a skill has no list or is executed', async () => {
    const shown = clientConsentRequest(await requestFor(activation('greet'))) as ClientSkillRequest
    expect(shown).toMatchObject({ kind: 'execution', mode: 'restrict', execution: { type: 'template' } })
    expect(shown.allowedTools).toBeUndefined()
    for (const text of textsIn(shown)) expect(text).not.toContain(root)
  })

  it('[ASK-4, ASK-6] holds the whole input of a call, as JSON with visible characters', async () => {
    const input = { command: `git push ${root}\u001B[2J`, when: new Date(0), nested: [{ [`${root}/key`]: 1 }] }
    const request = await requestFor({ tool: 'Bash', input }, { policy: { ask: ['Bash'] } })
    const shown = clientConsentRequest(request)
    expect(shown).toEqual({
      kind: 'call',
      id: request.id,
      tool: 'Bash',
      input: {
        command: String.raw`git push ${root}\u{1B}[2J`,
        when: '1970-01-01T00:00:00.000Z',
        nested: [{ [`${root}/key`]: 1 }],
      },
      rule: 'Bash',
      text: request.text,
    })
  })
})
