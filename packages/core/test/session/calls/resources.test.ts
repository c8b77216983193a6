import { describe, expect, it } from 'vitest'
import { open, step, activate } from '../session-world.ts'
import { code } from '../outcome.ts'

describe('the tool that reads the files of active skills', () => {
  it('[RES-2, ABUSE-104] reads a file of an active skill, whole or by lines, with its origin', async () => {
    const { session } = await open()
    await activate(session, 'editor')
    expect((await step(session, 'read_skill_resource', { path: 'references/a.md' })).text).toBe(
      '<skill_resource skill="editor" path="references/a.md" lines="1-3" of="3">\none\ntwo\nthree\n</skill_resource>',
    )
    expect((await step(session, 'read_skill_resource', { path: 'references/a.md', from: 2, to: 2 })).text).toContain(
      '\ntwo\n',
    )
  })

  it('[RES-2] gives a binary file as its bytes and shows the model that it is one', async () => {
    const { session } = await open()
    await activate(session, 'free')
    const outcome = await step(session, 'read_skill_resource', { path: 'image.bin' })
    expect(outcome).toMatchObject({ ok: true, value: { kind: 'binary', bytes: new Uint8Array([0, 1, 2]) } })
    expect(outcome.text).toContain('bytes="3"')
  })

  it.each([['../free/SKILL.md'], ['/etc/passwd'], ['a\\b'], ['%2e%2e/x'], ['file:///x'], ['.env']])(
    '[RES-3, ABUSE-24] refuses the path %j',
    async (path) => {
      const { session } = await open()
      await activate(session, 'editor')
      expect(code(await step(session, 'read_skill_resource', { path }))).toBe('RESOURCE_REFUSED')
    },
  )

  it.each([
    ['a.md'],
    ['editor/references/a.md'],
    ['/skills/editor/references/a.md'],
    ['..\\editor\\references\\a.md'],
    ['References/A.MD'],
    ['reference/a.md'],
  ])('[LLM-1, RES-2] names the file that the wrong path %j most likely means', async (path) => {
    const { session } = await open()
    await activate(session, 'editor')
    const { text } = await step(session, 'read_skill_resource', { path })
    expect(text).toMatch(/ Did you mean \\"references\/a.md\\"\?"/)
  })

  it.each([['/etc/passwd'], ['.env'], ['SKILL.md/x'], ['entirely/different.txt']])(
    '[LLM-1, RES-2] names no file for the path %j, which means none',
    async (path) => {
      const { session } = await open()
      await activate(session, 'editor')
      const { text } = await step(session, 'read_skill_resource', { path })
      expect(text).toMatch(/RESOURCE_(?:NOT_FOUND|REFUSED)/)
      expect(text).not.toContain('Did you mean')
    },
  )

  it('[RES-2] reads nothing of a skill that is not active, and says so where a file is missing', async () => {
    const { session } = await open()
    expect(code(await step(session, 'read_skill_resource', { path: 'a', skill: 'editor' }))).toBe('SKILL_NOT_ACTIVE')
    await activate(session, 'editor')
    expect(code(await step(session, 'read_skill_resource', { path: 'a', skill: 'free' }))).toBe('SKILL_NOT_ACTIVE')
    expect(code(await step(session, 'read_skill_resource', { path: 'none.md' }))).toBe('RESOURCE_NOT_FOUND')
    expect(code(await step(session, 'read_skill_resource', { path: '' }))).toBe('INPUT_INVALID')
    expect(code(await step(session, 'read_skill_resource', { path: 'a', from: 0 }))).toBe('INPUT_INVALID')
  })
})
