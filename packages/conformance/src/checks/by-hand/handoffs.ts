import { bash, activate, deactivate, read, say, together, write } from '../../oracle/steps.ts'
import { skill } from '../scenarios/define.ts'
import { failure } from '../../failure.ts'
import { type Hand, type HandCheck, handOver, resultOf, runsOf, same } from './hand.ts'

const FIRST = 'You are the first agent.'
const SECOND = 'You are the second agent.'
const DOCS = 'Body of the docs skill.'

const setup = {
  skills: {
    docs: skill(DOCS, 'allowed-tools: Read Write(docs/**)'),
    reading: skill('Body of the reading skill.', 'allowed-tools: Read'),
  },
  instructions: FIRST,
  handoffs: { second: { instructions: SECOND } },
}

/** Asserts that a request is the agent's that has these instructions, and no other's. */
function isOf({ requests }: Hand, number: number, own: string): void {
  const { system = '' } = requests()[number] ?? {}
  const other = own === FIRST ? SECOND : FIRST
  if (system.includes(own) && !system.includes(other) && system.includes('reading')) return
  throw failure(`request ${number + 1} to have the instructions ${JSON.stringify(own)} alone, and the list`, system)
}

/** What holds when one agent hands the conversation over to another: rights shrink and never grow. */
export const handoffChecks: readonly HandCheck[] = [
  {
    id: 'handoffs-rights',
    area: 'handoffs',
    level: 'MUST',
    title:
      '[GATE-1, GATE-6, SHOW-1, ACT-14, ADPT-4, ABUSE-139] shows the agent that takes over its own instructions, the list, the skill tools and the instructions of active skills, and restricts it, the first agent and the next message by them',
    needs: ['handoff', 'continuation'],
    setup,
    script: [
      activate('docs'),
      handOver('second'),
      together(write('src/a'), write('docs/a')),
      handOver('main'),
      bash('id'),
      say(),
      bash('ls'),
      deactivate(),
      bash('pwd'),
      say(),
    ],
    async run(hand) {
      await hand.conversation.send('Hello')
      await hand.conversation.send('Go on')
      same('the tools that ran', runsOf(hand), ['Write docs/a x', 'Bash pwd'])
      for (const [number, own] of [FIRST, FIRST, SECOND, SECOND, FIRST].entries()) isOf(hand, number, own)
      const [, before, taken] = hand.requests()
      if (!JSON.stringify(taken).includes(DOCS)) throw failure('the second agent to be shown the active skill', taken)
      const names = [before, taken].map((wire) =>
        wire?.tools.map(({ name }) => name).filter((name) => !/to_/.test(name)),
      )
      same('the tools of the second agent', names[1], names[0])
      same('whether Bash is offered', names[1]?.includes('Bash'), false)
    },
  },
  {
    id: 'handoffs-consent',
    area: 'handoffs',
    level: 'MUST',
    title:
      '[ASK-1, GATE-6, ABUSE-139] asks for consent in the agent that takes over, goes on in it with the answer, and restricts the first agent by what it activates',
    needs: ['handoff', 'suspend'],
    setup: { ...setup, consent: 'suspend' },
    script: [handOver('second'), activate('reading'), handOver('main'), together(write('docs/a'), read('a')), say()],
    async run(hand) {
      const asked = await hand.conversation.send('Hello')
      const requests = asked.status === 'asking' ? asked.requests : []
      same(
        'the skills that are asked for',
        requests.map(({ skill: name }) => name),
        ['reading'],
      )
      await hand.conversation.answer(requests.map(({ id }) => ({ requestId: id, approved: true })))
      isOf(hand, 2, SECOND)
      isOf(hand, 3, FIRST)
      same('the tools that ran', runsOf(hand), ['Read a'])
      same('whether the write is refused', resultOf(hand.requests(), 'call_4_1').includes('TOOL_NOT_ALLOWED'), true)
      same('the active skills', await hand.conversation.active(), ['reading'])
    },
  },
]
