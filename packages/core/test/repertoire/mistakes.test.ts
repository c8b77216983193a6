import { foreign } from '@repertoire/test-servers/properties'
import { expect, it } from 'vitest'
import { openAdapterSession } from '../../src/adapter.ts'
import { memorySource, openRepertoire, type SessionProblem } from '../../src/index.ts'

const skills = { pdf: { 'SKILL.md': '---\nname: pdf\ndescription: Reads PDF files.\n---\nRead.\n' } }
const open = () => openRepertoire({ sources: [memorySource({ skills })] })

/** Keeps what a session reports. */
function noted() {
  const problems: SessionProblem[] = []
  return { problems, onProblem: (problem: SessionProblem) => void problems.push(problem) }
}

it.each([[undefined], [null], ['yes'], [{ approved: true }], [{ decisions: [{ type: 'approve' }] }]])(
  '[ASK-3] reports once that a handler has answered with %j, and shows what it can return',
  async (answer) => {
    const { problems, onProblem } = noted()
    const session = (await open()).openSession({ consent: foreign(() => answer), onProblem })
    for (const _ of [1, 2]) {
      expect(await session.activate('pdf')).toMatchObject({ ok: false, refusal: { code: 'CONSENT_DENIED' } })
    }
    expect(problems).toEqual([
      {
        code: 'ANSWER_UNREADABLE',
        message: expect.stringContaining('Return true or false from the handler `consent`'),
      },
    ])
  },
)

it.each([[true], [undefined], [{ approved: true }], [{ requestId: 'a', approved: 'yes' }]])(
  '[ASK-5] reports that `session.answer` was given %j',
  async (answer) => {
    const { problems, onProblem } = noted()
    const session = (await open()).openSession({ onProblem })
    session.answer(foreign(answer))
    expect(problems).toEqual([
      { code: 'ANSWER_UNREADABLE', message: expect.stringContaining('{ requestId, approved }') },
    ])
  },
)

it('[ASK-3, ASK-5, FRONT-5] reports a session that ends unsaved before its request is answered', async () => {
  const { problems, onProblem } = noted()
  const call = { id: '1', tool: 'activate_skill', input: { name: 'pdf' } }
  for (const save of [false, true]) {
    const session = openAdapterSession(await open(), { onProblem })
    const request = (await (await session.step({ tools: [] })).preview(call, { asks: true })).waits
    expect(request).toMatchObject({ skill: 'pdf' })
    if (save) session.save()
    await session.end()
  }
  const answered = openAdapterSession(await open(), { onProblem })
  await answered.step({ tools: [] })
  answered.answer({ requestId: (await answered.preview(call, { asks: true })).waits!.id, approved: false })
  await answered.end()
  expect(problems).toEqual([
    {
      code: 'CONSENT_UNATTENDED',
      message: expect.stringContaining('Give the session a handler, such as `consent: askInTerminal()`.'),
    },
  ])
})

it('[CFG-1] says that a repertoire is closed when a session is opened', async () => {
  const repertoire = await open()
  await repertoire.close()
  const message = 'the repertoire is closed. Close it when no task is to come'
  expect(() => repertoire.openSession()).toThrow(message)
  await expect(repertoire.runTask({}, async () => 'ran')).rejects.toThrow(message)
})
