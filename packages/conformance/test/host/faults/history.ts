import { fault, type HostFault, isSkillResult, sending } from './break.ts'

export const historyFaults: readonly HostFault[] = [
  fault('changes the arguments of calls', 'history-result-verbatim', ({ run: runTool }) => ({
    run: (tool, input, callId) =>
      runTool(tool, JSON.parse(JSON.stringify(input).toUpperCase().replace('ORDER', 'order')), callId),
  })),
  fault('removes markup from the results of tools', 'history-result-verbatim', ({ run: runTool }) => ({
    run: async (tool, input, callId) => (await runTool(tool, input, callId)).replaceAll(/<[^>]*>/g, ''),
  })),
  fault('does not run a tool in the message of an activation', 'history-parallel-results', ({ runAll }) => ({
    runAll: (calls, runOne, skills) =>
      runAll(
        calls,
        async (call) =>
          call.function.name === 'lookup' && calls.some((each) => each.function.name === 'skill')
            ? 'Error: try again.'
            : runOne(call),
        skills,
      ),
  })),
  sending('forgets instructions after three further calls', 'history-body-kept', (messages) =>
    messages.map((message, index) =>
      isSkillResult(messages, message) && messages.slice(index + 1).filter(({ role }) => role === 'tool').length >= 3
        ? { ...message, content: 'Removed.' }
        : message,
    ),
  ),
  fault('sends an invalid request first in a long conversation', 'history-wire-valid', ({ send }) => ({
    async send(request, task) {
      if (request.messages.filter(({ role }) => role === 'user').length > 2)
        await send({ ...request, messages: [] }, task).catch(() => {})
      return send(request, task)
    },
  })),
]
