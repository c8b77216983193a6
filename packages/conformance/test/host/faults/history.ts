import { sending, isSkillResult, type HostFault } from './break.ts'

export const historyFaults: readonly HostFault[] = [
  {
    wrong: 'changes the arguments of calls',
    fails: ['history-result-verbatim'],
    change: ({ run: runTool }) => ({
      run: (tool, input, callId) =>
        runTool(tool, JSON.parse(JSON.stringify(input).toUpperCase().replace('ORDER', 'order')), callId),
    }),
  },
  {
    wrong: 'removes markup from the results of tools',
    fails: ['history-result-verbatim'],
    change: ({ run: runTool }) => ({
      run: async (tool, input, callId) => (await runTool(tool, input, callId)).replaceAll(/<[^>]*>/g, ''),
    }),
  },
  {
    wrong: 'does not run a tool in the message of an activation',
    fails: ['history-parallel-results'],
    change: ({ runAll }) => ({
      runAll: (calls, runOne, skills) =>
        runAll(
          calls,
          async (call) =>
            call.function.name === 'lookup' && calls.some((each) => each.function.name === 'skill')
              ? 'Error: try again.'
              : runOne(call),
          skills,
        ),
    }),
  },
  {
    wrong: 'forgets instructions after three further calls',
    fails: ['history-body-kept'],
    change: sending((messages) =>
      messages.map((message, index) =>
        isSkillResult(messages, message) && messages.slice(index + 1).filter(({ role }) => role === 'tool').length >= 3
          ? { ...message, content: 'Removed.' }
          : message,
      ),
    ),
  },
  {
    wrong: 'sends an invalid request first in a long conversation',
    fails: ['history-wire-valid'],
    change: ({ send }) => ({
      async send(request, task) {
        if (request.messages.filter(({ role }) => role === 'user').length > 2)
          await send({ ...request, messages: [] }, task).catch(() => {})
        return send(request, task)
      },
    }),
  },
]
