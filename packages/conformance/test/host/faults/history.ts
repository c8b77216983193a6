import { sending, isSkillResult, type HostFault } from './break.ts'

export const historyFaults: readonly HostFault[] = [
  {
    wrong: 'changes the arguments of calls',
    fails: ['history-tool-runs', 'history-own-results'],
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
    wrong: 'rewrites the messages of the user',
    fails: ['history-user-words'],
    change: () => ({ userText: (text) => text.replace('Please help', 'Help') }),
  },
  {
    wrong: 'sends calls back without their arguments',
    fails: ['history-calls-kept'],
    change: sending((messages) =>
      messages.map(({ tool_calls: calls, ...message }) => ({
        ...message,
        ...(calls !== undefined && {
          tool_calls: calls.map((call) => ({ ...call, function: { ...call.function, arguments: '{}' } })),
        }),
      })),
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
  {
    wrong: 'gives both calls of a tool the result of the first',
    fails: ['history-own-results'],
    change: ({ runAll }) => ({
      async runAll(calls, runOne, skills) {
        const results = await runAll(calls, runOne, skills)
        return results.map((result, index) =>
          calls[index]!.function.name === 'lookup'
            ? results[calls.findIndex((call) => call.function.name === 'lookup')]!
            : result,
        )
      },
    }),
  },
  {
    wrong: 'forgets the answers of the model',
    fails: ['history-answers-kept'],
    change: sending((messages) =>
      messages.filter(({ role, tool_calls: calls }) => role !== 'assistant' || calls !== undefined),
    ),
  },
]
