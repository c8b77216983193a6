/** A text of the guide's code, and what a careless author writes in its place, wherever it stands. */
type Edit = readonly [written: string, instead: string]

/** A mistake in an adapter that was written in a hurry: what it does, in words. */
export interface CarelessFault {
  readonly wrong: string
  /** What catches it: a scenario with one of its aspects, or a check by hand. */
  readonly caughtBy: readonly string[]
  readonly edits: readonly Edit[]
}

const fault = (wrong: string, caughtBy: string | readonly string[], ...edits: readonly Edit[]): CarelessFault => ({
  wrong,
  caughtBy: [caughtBy].flat(),
  edits,
})

const PERSON = "messages.push({ role: 'user', content: settled.text })"
const TURN = "messages.push({ role: 'user', content: turn.text, own: true })"
const OFFERED = '[...tools.filter(({ name }) => !step.isHidden(name)), ...step.tools]'
const SYSTEM = 'step.system(instructions)'
const CALL = 'await step.call(call, execute, { signal, fork: forkOf(parts) })'
const TOGETHER =
  "Promise.all(calls.map(async (call) => ({ role: 'tool', tool_call_id: call.id, content: await run(call) })))"
const ASKED = "if (requests.length > 0) return { status: 'asking', requests }"
const ANSWERS = 'for (const each of answers) session.answer(each)'
const OPEN = 'const session = openAdapterSession(repertoire, {'
const SAVED = 'save: (): SavedConversation => ({ session: session.save(), messages, waiting })'
const SENT = 'const { tool_calls: calls, own: _, ...message } = written'
const RUN_FORK = 'createAgent({ ...own, output: undefined }).run(message, signal)'
const answerAll = (approved: boolean): string =>
  `for (const { id } of requests) session.answer({ requestId: id, approved: ${approved} })`

/** Mistakes, in the order of the numbers in the guide. */
export const carelessFaults: readonly CarelessFault[] = [
  fault('begins no turn', 'turns-invocation/offeredTools', [
    'await session.beginTurn(settled.text, { id: settled.id, signal, fork: forkOf(parts) })',
    '{ text: undefined }',
  ]),
  fault('puts what the session says in front of the message', 'options-listing/history', [
    TURN,
    TURN.replace('push(', 'splice(-1, 0, '),
  ]),
  fault('runs no sub-agent for a person’s message', 'forks-stopped-model/systemPrompts', [
    '{ id: settled.id, signal, fork: forkOf(parts) }',
    '{ id: settled.id, signal }',
  ]),
  fault('gives a turn another id than its consent request', 'consent-instead/turnTexts', [
    '{ id: settled.id, signal',
    '{ signal',
  ]),
  fault('writes the line ends of a message anew', 'history-turns/turnTexts', [
    PERSON,
    PERSON.replace('settled.text', "settled.text.replaceAll('\\r\\n', '\\n')"),
  ]),
  fault('writes OK between two messages of a person', 'errors-endpoint/history', [
    PERSON,
    `if (messages.at(-1)?.role === 'user') messages.push({ role: 'assistant', content: 'OK' })\n${PERSON}`,
  ]),
  fault('joins two messages of a person', 'history-apart', [
    PERSON,
    `if (messages.at(-1)?.role === 'user') messages.push({ role: 'user', content: messages.pop().content + '\\n' + settled.text })\nelse ${PERSON}`,
  ]),
  fault('never asks which model a skill is for', 'activation-model/activeSkills', [
    'step.model ?? parts.endpoint',
    'parts.endpoint',
  ]),
  fault('does not say which model it calls', 'activation-hooks/auditEvents', [
    'nameOf: (model = endpoint) => model.model,',
    '',
  ]),
  fault('does not offer what skills bring', 'execution-toolset/offeredTools', [
    '...step.tools].map',
    "...step.tools.filter(({ name }) => name.includes('skill'))].map",
  ]),
  fault('opens the session without its lease', 'options-lease/results', [
    '{ ...options, hostTools',
    '{ ...options, until: undefined, hostTools',
  ]),
  fault('keeps the problems from the host', 'forks-asked-suspends/problems', [
    '{ ...options, hostTools',
    '{ ...options, onProblem: undefined, hostTools',
  ]),
  fault('offers all tools', 'consent-handler/offeredTools', [
    'tools.filter(({ name }) => !step.isHidden(name))',
    'tools',
  ]),
  fault('offers the skill tools first', 'execution-skills/offeredTools', [
    OFFERED,
    '[...step.tools, ...tools.filter(({ name }) => !step.isHidden(name))]',
  ]),
  fault('offers the tools of the first step in every step', 'consent-shared-line/offeredTools', [
    OFFERED,
    `((session as any).offered ??= ${OFFERED})`,
  ]),
  fault('sends the system prompt of the first step in every step', 'options-styles/systemPrompts', [
    SYSTEM,
    `((session as any).shown ??= ${SYSTEM})`,
  ]),
  fault('asks for no schema', 'forks-output/offeredTools', ['...(output && {', '...(false && {']),
  fault('gives a sub-agent the schema of its parent', 'forks-output/results', ['{ ...own, output: undefined }', 'own']),
  fault('takes a message beside an answer as a no to every question', 'consent-instead-of-one/toolRuns', [
    'conversation.send(text, signal, answers)',
    'conversation.send(text, signal)',
  ]),
  fault('drops the system prompt of the host', 'forks-in-forks/systemPrompts', [SYSTEM, 'step.system(undefined)']),
  fault('shows no list of skills', 'history-reasoning-answers/systemPrompts', [SYSTEM, 'instructions']),
  fault('loses the text of a refusal', 'errors-answer-ends/ended', ['content ?? refusal ??', 'content ??']),
  fault('sends the whole conversation whatever the window', 'window-reasoning/turnTexts', [
    "asMessage: (content) => ({ role: 'user', content }),",
    '',
  ]),
  fault('counts the names of tools for the window only', 'window-pinned/systemPrompts', [
    'tools: offered.map((tool) => JSON.stringify(tool)),',
    'tools: offered.map((tool) => tool.function.name),',
  ]),
  fault('does not mark what the session says', 'window-pinned/turnTexts', [', own: true }', ' }']),
  fault("asks the run's own model for a summary", 'window-own-model/systemPrompts', [
    'summarize: summarizerOf(endpoint)',
    'summarize: summarizerOf(parts.endpoint)',
  ]),
  fault('takes a refusal for the summary', 'window-own-model/turnTexts', [
    '.choices[0].message.content',
    '.choices.map(({ message }: any) => message.content ?? message.refusal)[0]',
  ]),
  fault('keeps an abort from the summary', 'cleanup-stopped-model/ended', [
    'async ({ instructions, prompt }, { signal }) => {',
    'async ({ instructions, prompt }) => {\n    const signal = undefined',
  ]),
  fault('shows no reminder', 'turns-reminder/systemPrompts', [
    'content: system }',
    "content: step.system(instructions) ?? '' }",
  ]),
  fault('records no usage', 'consent-approval-beside/usage', ['step.recordUsage({', 'void ({']),
  fault('records the tokens of the model call before', 'forks-asked/usage', [
    'step.recordUsage({ inputTokens: usage.prompt_tokens, outputTokens: usage.completion_tokens })',
    'const used = { inputTokens: usage.prompt_tokens, outputTokens: usage.completion_tokens }\n  step.recordUsage((parts.session as any).before ?? used)\n  ;(parts.session as any).before = used',
  ]),
  fault('ignores the errors of the model', 'forks-asked/results', [
    'if (!response.ok) throw new Error(answer.error.message)',
    "if (!response.ok) return { choices: [{ message: { role: 'assistant', content: '' } }], usage: {} }",
  ]),
  fault('does not stop a model call', 'history-stopped', ['signal: signal ?? null,', '']),
  fault('lets two messages of the model use the same ids', 'consent-shared-ids/systemPrompts', [
    'answer: withUniqueIds(choices[0].message, conversation)',
    'answer: choices[0].message',
  ]),
  fault('makes ids unique in one message only', 'consent-shared-ids/results', [
    'uniqueCallIds(messages.flatMap(({ tool_calls = [] }) => tool_calls.map(({ id }: any) => id)))',
    'uniqueCallIds([])',
  ]),
  fault('throws when arguments are not JSON', 'errors-arguments/ended', [
    'input: readArguments(text)',
    'input: JSON.parse(text)',
  ]),
  fault('sends arguments that are not JSON back', 'errors-odd-arguments/ended', [
    'arguments: asObject(call.function.arguments)',
    'arguments: call.function.arguments',
  ]),
  fault('drops the reasoning of the model', 'history-reasoning/history', [
    SENT,
    SENT.replace('own: _,', 'own: _, reasoning_content: __,'),
  ]),
  fault('drops the text beside calls', 'window-summary/history', [
    'return { ...message, tool_calls: shown }',
    'return { ...message, content: null, tool_calls: shown }',
  ]),
  fault('asks the session about skill tools only', 'gate-stack/toolRuns', [
    CALL,
    `tools.some(({ name }) => name === call.tool) ? ({ ok: true, value: await execute(call), text: undefined } as any) : ${CALL}`,
  ]),
  fault('runs a tool and asks the session afterwards', 'consent-approval-each/toolRuns', [
    CALL,
    `await (async () => { const value = tools.some(({ name }) => name === call.tool) ? await execute(call) : undefined; return step.call(call, () => value, { signal, fork: forkOf(parts) }) })()`,
  ]),
  fault('looks a tool up by the name that the model wrote', 'gate-rules/toolRuns', [
    'name === judged.tool',
    'name === call.tool',
  ]),
  fault('answers calls of names that it does not know itself', 'gate-calls/results', [
    `const outcome = ${CALL}`,
    `if (![...tools.map(({ name }) => name), 'activate_skill', 'deactivate_skill', 'read_skill_resource'].includes(call.tool)) return 'Error: no such tool'\n      const outcome = ${CALL}`,
  ]),
  fault('writes results as JavaScript does: [object Object]', 'errors-results/results', [
    'resultText(outcome.ok ? outcome.value : undefined)',
    'String(outcome.ok ? outcome.value : undefined)',
  ]),
  fault('writes its own text for refusals', 'options-modes/results', [
    'outcome.text ??',
    "(outcome.ok ? outcome.text : 'That is not allowed.') ??",
  ]),
  fault('tries a refused call again', 'listing-awkward/auditEvents', [
    `const outcome = ${CALL}`,
    `let outcome = ${CALL}\n      if (!outcome.ok) outcome = ${CALL}`,
  ]),
  fault('hides the errors of tools', 'gate-calls/results', [
    'return failureText(error)',
    "return 'Something went wrong.'",
  ]),
  fault('does not stop a tool at work', 'cleanup-stopped-tool/toolRuns', [
    '{ callId: call.id, ...(signal && { signal }) }',
    '{ callId: call.id }',
  ]),
  fault('runs no sub-agent for a call', 'forks-asked-suspends/problems', [
    CALL,
    'await step.call(call, execute, { signal })',
  ]),
  fault('carries out the calls of a message one after another', 'gate-side-by-side/results', [
    TOGETHER,
    "(async () => { const results = []; for (const call of calls) results.push({ role: 'tool', tool_call_id: call.id, content: await run(call) }); return results })()",
  ]),
  fault(
    'carries out calls one after another once a person has answered',
    'gate-side-by-side-asked/results',
    [
      TOGETHER,
      `(async () => { if (!(session as any).answered) return ${TOGETHER}; const results = []; for (const call of calls) results.push({ role: 'tool', tool_call_id: call.id, content: await run(call) }); return results })()`,
    ],
    [ANSWERS, `${ANSWERS}\n      ;(session as any).answered = true`],
  ),
  fault('ignores the signal of a run that an answer continues', 'cleanup-stopped-answer/usage', [
    'conversation.answer(answers, signal)',
    'conversation.answer(answers)',
  ]),
  fault('gives results to calls in the order in which they end', 'consent-approval-beside/results', [
    TOGETHER,
    "(async () => { const texts: string[] = []; await Promise.all(calls.map(async (call) => texts.push(await run(call)))); return calls.map(({ id }, index) => ({ role: 'tool', tool_call_id: id, content: texts[index] })) })()",
  ]),
  fault('ignores the approval of the host', 'consent-approval-fails/toolRuns', [
    'await approve(parts, step, judged)',
    '',
  ]),
  fault(
    'asks for approval before it asks the session',
    'consent-shared-ids/questions',
    ['await approve(parts, step, judged)', ''],
    [`const outcome = ${CALL}`, `await approve(parts, call)\n      const outcome = ${CALL}`],
  ),
  fault('drops the reason of a denied approval', 'consent-approval-each/results', [
    "${reason ?? 'it was not approved'}",
    'it was not approved',
  ]),
  fault('runs what a person has not approved', 'consent-approval-beside/toolRuns', [
    'if (!approved) throw',
    'if (false) throw',
  ]),
  fault('gives a sub-agent the session of its parent', 'forks-history/offeredTools', [
    '{ ...parts, session, endpoint',
    '{ ...parts, endpoint',
  ]),
  fault('gives a sub-agent the system prompt of its parent', 'forks-together/systemPrompts', [
    'agent?.instructions ?? system',
    'parts.instructions ?? system',
  ]),
  fault('asks a person about the calls of a sub-agent', 'forks-approval/toolRuns', [
    'unattended: true',
    'unattended: false',
  ]),
  fault('does not stop a sub-agent', 'forks-stopped/systemPrompts', ['.run(message, signal)', '.run(message)']),
  fault(
    'stops a sub-agent with its run only',
    'cleanup-ended-fork',
    ['fork: forkOf(parts)', 'fork: forkOf({ ...parts, stop: signal } as any)'],
    ['.run(message, signal)', '.run(message, (parts as any).stop)'],
  ),
  fault(
    'cuts long results of sub-agents',
    ['forks-work/results', 'forks-begun/turnTexts'],
    [RUN_FORK, `(await ${RUN_FORK}).slice(0, 400)`],
  ),
  fault('reports a sub-agent that reaches its step limit as finished', 'forks-endless/results', [
    'if (count === maxSteps) throw unfinishedForkError(maxSteps)',
    "if (count === maxSteps) return answer.content ?? ''",
  ]),
  fault('calls the parent’s model for every sub-agent', 'forks-choice/systemPrompts', [
    'resolveModel: (name) => models?.get(name)',
    'resolveModel: () => undefined',
  ]),
  fault('counts the model calls of all runs', 'errors-step-limit/systemPrompts', [
    'if (count > parts.maxSteps)',
    'if (((session as any).made = ((session as any).made ?? 0) + 1) > parts.maxSteps)',
  ]),
  fault('asks for an approval of calls that a skill has preapproved', 'consent-approval-each/questions', [
    '|| (await step.preview(call)).preapproved',
    '',
  ]),
  fault('answers consent requests by their order', 'consent-stale/activeSkills', [
    ANSWERS,
    'const open = [...session.state.open]\n      answers.forEach((each, at) => open[at] && session.answer({ ...each, requestId: open[at]!.id }))',
  ]),
  fault('drops the schemas of tools', 'listing-long/offeredTools', [
    'parameters: inputSchema',
    "parameters: { type: 'object' }",
  ]),
  fault('sends of schemas what it knows', 'listing-awkward/offeredTools', [
    'parameters: inputSchema',
    "parameters: { type: 'object', properties: (inputSchema as any).properties, required: (inputSchema as any).required }",
  ]),
  fault('saves the last messages only', 'consent-resumed/history', [
    SAVED,
    SAVED.replace('messages,', 'messages: messages.slice(-4),'),
  ]),
  fault('passes on only the session options that it knows', 'consent-changed/questions', [
    '...options, hostTools,',
    '...(options.consent && { consent: options.consent }), ...(options.agent && { agent: options.agent }), hostTools,',
  ]),
  fault("drops the host's policy", 'options-modes/toolRuns', [
    '...options, host',
    '...options, policy: undefined, host',
  ]),
  fault('goes on in the default mode in a fresh process', 'options-resumed/offeredTools', [
    '...options, hostTools,',
    "...options, ...(saved && { enforcement: 'restrict' }), hostTools,",
  ]),
  fault('words activations itself', 'forks-asked/systemPrompts', [
    'outcome.text ??',
    "(outcome.ok && call.tool === 'activate_skill' ? outcome.text?.split('\\n').slice(1).join('\\n') : outcome.text) ??",
  ]),
  fault('opens one session for a repertoire', 'isolation-at-once', [
    OPEN,
    'const session: any = (repertoire as any).only ??= openAdapterSession(repertoire, {',
  ]),
  fault('saves the messages but no session', 'forks-calls-asked/questions', [
    ', ...(saved && { saved: saved.session }) })',
    ' })',
  ]),
  fault('saves no call that waits', 'consent-resumed/activeSkills', [
    SAVED,
    SAVED.replace(', waiting })', ', waiting: undefined })'),
  ]),
  fault('repeats the last message of a person in a fresh process', 'activation-mount/history', [
    'let messages: any[] = [...(saved?.messages ?? [])]',
    "let messages: any[] = [...(saved?.messages ?? []), ...(saved?.messages.filter(({ role }) => role === 'user').slice(-1) ?? [])]",
  ]),
  fault('says yes itself when the session asks', 'consent-changed-meanwhile', [ASKED, answerAll(true)]),
  fault('says no itself when the session asks', 'history-files', [ASKED, answerAll(false)]),
  fault('asks about the first call of a message only', 'consent-suspends/problems', [
    'calls.map((call) => begun.preview(call, { signal, asks: true }))',
    'calls.slice(0, 1).map((call) => begun.preview(call, { signal, asks: true }))',
  ]),
  fault('gives no signal to what makes a question', 'cleanup-stuck-folder', [
    'begun.preview(call, { signal, asks: true })',
    'begun.preview(call, { asks: true })',
  ]),
  fault('returns consent requests in reverse order', 'consent-suspends/questions', [
    'previews.flatMap(({ waits }) => waits ?? [])',
    'previews.flatMap(({ waits }) => waits ?? []).reverse()',
  ]),
  fault('asks nothing about an invocation', 'consent-instead/turnTexts', [
    'const { waits } = await session.preview(messageCall(waiting.id, text), { signal, asks: true })',
    'const waits = undefined as ConsentRequest | undefined',
  ]),
  fault('takes a message instead of an answer as a yes', 'consent-instead/offeredTools', [
    'session.answer({ requestId: id, approved: false })',
    'session.answer({ requestId: id, approved: true })',
  ]),
  fault('drops a message that waits when a person writes on', 'consent-instead/history', [
    '      await settle(signal)\n      // 11',
    "      if (waiting !== undefined && 'text' in waiting) waiting = undefined\n      await settle(signal)\n      // 11",
  ]),
  fault('records the first of several answers only', 'options-asked/offeredTools', [
    ANSWERS,
    'session.answer(answers[0]!)',
  ]),
  fault('drops the reason of a no', 'consent-suspends/results', [
    ANSWERS,
    'for (const { requestId, approved } of answers) session.answer({ requestId, approved })',
  ]),
  fault('has a limit of its own for model calls', 'cleanup-another/systemPrompts', [
    'count > parts.maxSteps',
    'count > 3',
  ]),
  fault('ends no session', 'errors-endpoint/toolRuns', ['end: () => session.end()', 'end: async () => {}']),
  fault('keeps the messages that the host removes', 'turns-reminder/systemPrompts', [
    'forget(): void {\n      messages = []\n    },\n  }\n}',
    'forget(): void {},\n  }\n}',
  ]),
  fault('words the question of the handler itself', 'activation-calls/questions', [
    '...options, hostTools,',
    '...options, ...(options.consent && { consent: (request: any, more: any) => (options.consent as any)({ ...request, text: `May I use ${request.skill ?? request.tool}?` }, more) }), hostTools,',
  ]),
  fault('runs the calls that ask nothing while another waits', 'cleanup-left-waiting/auditEvents', [
    ASKED,
    "if (requests.length > 0) {\n        await carryOut(parts, begun, calls.filter(({ id }) => !requests.some(({ callId }) => callId === id)), signal)\n        return { status: 'asking', requests }\n      }",
  ]),
  fault('runs a call that ends in the middle of its arguments', 'errors-odd-ends/toolRuns', [
    'input: readArguments(text)',
    "input: text.endsWith('}') ? readArguments(text) : {}",
  ]),
  fault(
    'waits for a call although the run is stopped',
    ['cleanup-stuck-tool', 'cleanup-stuck-person'],
    ['await step.call(call, execute, { signal, fork', 'await step.call(call, execute, { fork'],
  ),
]
