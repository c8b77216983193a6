import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createSkillExecutor, openRepertoire, type ScriptRunner } from '@repertoire/core'
import { openAdapterSession } from '@repertoire/core/adapter'
import { createSkillRegistry, type NewSkill, type SkillTool } from '@repertoire/library'
import { describe, expect, it } from 'vitest'
import { temporaryFolder, temporaryStore } from '../temporary-folder.ts'

const parameters = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }
const SKILLS: readonly NewSkill[] = [
  { name: 'note', description: 'A note.', type: 'instruction', definition: { content: 'Note $ARGUMENTS.\n' } },
  { name: 'greet', description: 'Greets.', type: 'template', parameters, definition: { template: 'Hi {{ name }}' } },
  {
    name: 'copy',
    description: 'Copies.',
    type: 'composite',
    definition: { steps: [{ tool: 'Read', parameters: { path: 'a' } }] },
  },
  { name: 'say', description: 'Says.', type: 'script', definition: { script: 'cat notes.md; echo "$1"\n' } },
]

async function registryWith(options: Partial<Parameters<typeof createSkillRegistry>[0]> = {}) {
  const store = await temporaryStore()
  const registry = createSkillRegistry({ store, ...options })
  for (const skill of SKILLS) await registry.create(skill)
  await store.saveResource('say', 'notes.md', 'Notes.\n')
  await registry.load()
  const tool = (name: string) => registry.loadedSkills().find((each) => each.name === name)!
  return { store, registry, tool }
}

/** Runs the scripts of these tests with `sh` in a temporary folder. */
const runner: ScriptRunner = {
  name: 'sh',
  isolation: { name: 'none', isolated: false, notes: [] },
  supports: () => true,
  run({ interpreter, script, args, files }) {
    const folder = temporaryFolder()
    for (const { path, bytes } of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), bytes)
    }
    const stdout = execFileSync(interpreter, [script, ...args], { cwd: folder })
    const dropped = { stdout: 0, stderr: 0 }
    return Promise.resolve({ end: 'exited', exitCode: 0, stdout, stderr: new Uint8Array(), dropped, durationMs: 1 })
  },
}

const call = (tool: SkillTool, input: unknown) => tool.execute(input)

describe('a tool of a registry', () => {
  it('[LIB-13] executes its skill by its type', async () => {
    const { tool } = await registryWith({ executor: createSkillExecutor({ runner }) })
    expect(await call(tool('skill_note'), { args: 'one' })).toMatchObject({ value: { content: 'Note one.\n' } })
    expect(await call(tool('skill_note'), undefined)).toMatchObject({ value: { content: 'Note .\n' } })
    expect(await call(tool('skill_greet'), { name: 'Ann' })).toMatchObject({ value: { text: 'Hi Ann' } })
    expect(await call(tool('skill_greet'), {})).toMatchObject({ ok: false, code: 'INPUT_INVALID' })
    expect(await call(tool('skill_copy'), {})).toMatchObject({ value: { plan: [{ step: 1, tool: 'Read' }] } })
    const outcome = await call(tool('skill_say'), { args: 'Bye.' })
    if (!outcome.ok || outcome.value.type !== 'script') throw new Error('The script did not run.')
    expect(new TextDecoder().decode(outcome.value.result.stdout)).toBe('Notes.\nBye.\n')
  })

  it('[LIB-13] is called without options, and says what is wrong with its input', async () => {
    const { tool } = await registryWith()
    expect(await tool('skill_note').execute(undefined)).toMatchObject({ value: { content: 'Note .\n' } })
    for (const [input, reason] of [
      [{ prompt: 'one' }, 'it has no parameter "prompt"'],
      [{ args: 5 }, 'an object with `args`, a text'],
      ['one', 'an object with `args`, a text'],
      [['one'], 'an object with `args`, a text'],
    ] as const) {
      const failure = { ok: false, code: 'INPUT_INVALID', reason: expect.stringContaining(reason) as string }
      expect(await call(tool('skill_note'), input)).toMatchObject(failure)
    }
  })

  it('[LIB-13] refuses a script where the registry has no executor with a runner', async () => {
    const { tool } = await registryWith()
    expect(await call(tool('skill_say'), {})).toMatchObject({ ok: false, code: 'SCRIPT_UNAVAILABLE' })
  })

  it('[LIB-13] executes what is stored at the time of the call, and nothing that is deleted or no longer active', async () => {
    const { store, tool } = await registryWith()
    const [note, greet] = [tool('skill_note'), tool('skill_greet')]
    await store.save({ manifest: { name: 'note', description: 'A note.' }, body: 'New.\n' })
    expect(await call(note, {})).toMatchObject({ value: { content: 'New.\n' } })
    await store.save({ manifest: { name: 'note', description: 'A note.', status: 'disabled' }, body: 'New.\n' })
    await expect(call(note, {})).rejects.toMatchObject({ code: 'SKILL_NOT_FOUND' })
    await store.delete('greet')
    await expect(call(greet, { name: 'Ann' })).rejects.toMatchObject({ code: 'SKILL_NOT_FOUND' })
  })

  it('[LIB-13] is a tool of the host for a session that names it, and is judged as one', async () => {
    const host = { name: 'Read', description: 'Reads.', inputSchema: { type: 'object' }, execute: () => 'read' }
    const { store, registry } = await registryWith({ tools: [host] })
    await using repertoire = await openRepertoire({ sources: [store], policy: { deny: ['skill_greet'] } })
    await using session = openAdapterSession(repertoire, { consent: () => false })
    const tools = new Map(registry.allTools().map((tool) => [tool.name, tool as SkillTool]))
    await session.step({ tools: tools.keys() })
    const run = (tool: string, input: unknown) =>
      session.call({ id: tool, tool, input }, (judged) => call(tools.get(judged.tool)!, judged.input))
    expect(await run('skill_note', { args: 'one' })).toMatchObject({
      ok: true,
      value: { ok: true, value: { content: 'Note one.\n' } },
    })
    expect(await run('skill_greet', { name: 'Ann' })).toMatchObject({ refusal: { code: 'TOOL_NOT_ALLOWED' } })
  })
})
