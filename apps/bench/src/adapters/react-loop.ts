import { openRepertoire } from '@repertoire/core'
import { createReActLoop, type ModelAnswer } from '@repertoire/react-loop'
import { type Agent, type AgentParts, INSTRUCTIONS, planOf, TASK } from './agent.ts'

/** The loop has no life without a session: without skills, it has one over an empty catalog. */
export function prepareAgent({ tools, repertoire }: AgentParts): Agent {
  const opened = repertoire ?? openRepertoire({ sources: [] })
  return {
    async run(calls) {
      const plan = planOf(calls)
      const complete = async (): Promise<ModelAnswer> => {
        const call = plan.next()
        return call === undefined
          ? { text: 'Done.', calls: [], finishReason: 'stop' }
          : { text: '', calls: [{ id: call.id, tool: call.tool, input: call.input }], finishReason: 'stop' }
      }
      const model = {
        complete,
        async *stream() {
          yield { type: 'answer' as const, answer: await complete() }
        },
      }
      await (
        await opened
      ).runTask({ consent: () => true }, (session) =>
        createReActLoop({ model, session, tools, instructions: INSTRUCTIONS, maxSteps: calls + 1 }).run(TASK),
      )
      return plan.steps()
    },
  }
}
