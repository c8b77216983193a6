import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { open, step } from '../session-world.ts'

/** The lengths of the texts that the engine was given to normalise: it takes the square of each. */
let lengths: number[]

beforeEach(() => {
  lengths = []
  const normalize: (this: string, form?: string) => string = Reflect.get(String.prototype, 'normalize')
  vi.spyOn(String.prototype, 'normalize').mockImplementation(function (this: string, form?: string) {
    lengths.push(this.length)
    return normalize.call(this, form)
  })
})
afterEach(() => {
  vi.restoreAllMocks()
})

const MARKS = `a${'\u0301\u0316'.repeat(200_000)}`

it.each([
  ['Read', { file_path: MARKS }],
  ['Read', { file_path: `docs/${MARKS}/x` }],
  ['Bash', { command: `cat ${MARKS}` }],
  ['Bash', { command: `git log ${MARKS.slice(0, 9_000)}` }],
  ['Grep', { pattern: MARKS, path: MARKS }],
  ['move_file', { source: MARKS, destination: MARKS }],
  ['activate_skill', { name: MARKS }],
  ['read_skill_resource', { path: MARKS }],
  [MARKS, {}],
])(
  '[ABUSE-120] no call gives the engine more than a thousand characters to normalise at once: %.20s',
  async (tool, input) => {
    const { session } = await open(
      { cwd: '/work', hostTools: ['Read', 'Bash', 'Grep', 'move_file'] },
      { policy: { protect: ['/etc/passwd', 'notes/été.md'], deny: ['Bash(rm:*)', 'Read(secret/**)', 'Grep(é*)'] } },
    )
    await step(session, 'activate_skill', { name: 'historian' })
    await step(session, tool, input)
    expect(Math.max(0, ...lengths)).toBeLessThanOrEqual(1_000)
  },
)

it('[ABUSE-120] nor does a message of a person', async () => {
  const { session } = await open()
  await session.beginTurn(`/${MARKS}`)
  await session.beginTurn(MARKS)
  expect(lengths.length).toBeGreaterThan(0)
  expect(Math.max(0, ...lengths)).toBeLessThanOrEqual(1_000)
})
