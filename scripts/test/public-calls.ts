import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

type Call = (options: unknown) => unknown
type Functions = Readonly<Record<string, (...args: readonly unknown[]) => unknown>>

/**
 * The public functions of every entry. A number is the place of the options among the arguments; a function without one
 * takes data or a handler. `!` marks functions that need real arguments: see below.
 */
const FUNCTIONS = {
  // First: below, `skillsAgent` is the AI SDK's.
  'mastra/src/index.ts': `skillsAgent:1`,
  'core/src/index.ts': `
    createSkillExecutor:0 getSkillItems:! memorySessions:0 memorySource:0 openRepertoire:0
    openStoredSession:! withStoredSession:!
    bundledSource clientConsentRequest createCounters estimateTokens isSkillError safeGitEnvironment showInvisible showName`,
  'core/src/authoring.ts': `
    adviseSkill:2 findResource:2 parseSkill:1 readResource:2
    chooseInterpreter digestFolder formatRule groupResources inspectDemands readHidden renderSkill renderStored`,
  'core/src/adapter.ts': `
    openAdapterSession:! adapterSession
    beginTurnOrAsk:2 subAgentFor:1
    taskOf abandonedCallText argumentsAsObject escapeXml failureText forkOptions isOutdatedYes isTextOfContent messageCall
    messageText partsUntilAborted readArguments readConsentAnswer recordDecision resultText skillToolsOf standsFor
    systemPrompt unattendedError unfinishedForkError uniqueCallIds whenBegun withOwnedSession`,
  'core/src/stores.ts': `
    checkSessionOptions:1 measureFolder
    checkAnswers checkResource checkSessionId checkSessionTenant checkSkillContent checkSkillFiles checkSkillName
    checkSkillPaths checkWrites createPathIndex inTime isSameName leaseLost listFiles lockedFolderName
    lockedOriginText nearestNames readStored refuseConflict resourceParts revisionOf storedKey storedPathProblem
    storedSkillName versionConflict`,
  'core/src/node/index.ts': `
    askInTerminal:0 ensureDefaults:0 directorySource:0 embedSkills:0 inspectorSink:0 jsonLinesAudit:0 readAudit:1 loadConfiguration:0
    moduleToolsets:0    openConfigured:0 openSkills:! skillFolder:1 packageSource:0 privateMounts:0 saveResource:3 standardSources:0
    configuredSources emptyFolders isMoving leftoverName openFolder openPinnedFolder replaceInherited waitOutSwap`,
  'core/src/schema/index.ts': `frontmatterJsonSchema loadFrontmatterSchema`,
  'core/src/opentelemetry/index.ts': `otelAudit:0`,
  'evals/src/index.ts': `
    readEvals skillHarness:0 summarise judgePrompt renderMarkdown`,
  'evals/src/promptfoo.ts': `promptfooProvider promptfooTests`,
  'evals/src/tape.ts': `createTape:0`,
  'evals/src/vitest.ts': `withTape:0 vitestHarness`,
  'gate/src/index.ts': `openGate:0 safeGitEnvironment`,
  'skill-md/src/index.ts': `
    adviseSkill:2 parseSkill:1 formatRule frontmatterJsonSchema isSkillError loadFrontmatterSchema renderSkill renderStored`,
  'ai-sdk/src/index.ts': `
    skillsAgent:0 withSkills:! approvalResponses consentRequests isRefusedCallError needsApproval resumeWith`,
  'ai-sdk/src/v6/index.ts': `
    skillsAgent:0 withSkills:! approvalResponses consentRequests isRefusedCallError`,
  'claude-agent/src/index.ts': `claudeAgent:0 queryOptions:! skillsQuery:!`,
  'langchain/src/index.ts': `activeSkills:2 endSkills:! skillsMiddleware:!`,
  'library/src/index.ts': `
    createSkillRegistry:0 findLeftovers:0 locateProject:0 openFileStore:0
    exportHarnessSkills:0 exportPlugin:0 planAdd:0 planInstall:0 planRemove:0 planUpdate:0 recoverProject:0
    verifySkills:0 compositeSkill:0 instructionSkill:0 scriptSkill:0 changeSkillsLock:2
    resolveOrigin:1
    applyPlan originText packSkill pinSkill readSkillsLock requireSkillsLock
    referencesIn`,
  'library/src/mcp.ts': `mcpSource:0 serveSkillsOverHttp:0 serveSkillsOverStdio:0 attachSkills:1`,
  'library/src/testing.ts': `storeContract:0`,
  'openai-agents/src/index.ts': `skillsRunner:0 agentTool errorFunction`,
  'react-loop/src/index.ts': `createReActLoop:0 openAICompatible:0`,
  'runners/src/index.ts': `openBubblewrapRunner:0 processRunner:0 sandboxRunner:0 virtualRunner:0`,
  'runners/src/testing.ts': `runnerContract`,
  'storage/src/index.ts': `
    openFileSessions:0 openSessions:0 openSkillStores:0 postgresEngine:0 redisEngine:0 s3Engine:0`,
  'storage/src/testing.ts': `sessionStoreContract:0`,
  'tools/src/index.ts': `
    builtInTools:0 executeCommandTool:0 executeSqlTool:0 fileOperationsTool:0 httpRequestTool:0 openBashTool:0
    openBuiltInTools:0`,
  'tools/src/network.ts': `guardedConnector:1 createAddressCheck`,
  'conformance/src/index.ts': `
    renderTerminal:1 runConformance:0
    activate call chooseIds deactivate failure fixtureSkills lastRefusal lastResult openModelEndpoint referenceDriver renderJUnit
    renderJson renderMarkdown say storedTask together unexpected`,
  'conformance/src/host.ts': `runHostProfile:0`,
}

/** The functions that every entry exports, and the ones known here. */
export const exported: string[] = []
export const known: string[] = []

/** A call of every public function and method that has options, by its name. */
export const CALLS: Record<string, Call> = {}

const all: Record<string, Functions[string]> = {}
for (const [file, list] of Object.entries(FUNCTIONS)) {
  // By the path: these packages are compiled with other options than these tests.
  const url = pathToFileURL(join(import.meta.dirname, '../../packages', file))
  for (const [name, value] of Object.entries((await import(url.href)) as Functions)) {
    if (typeof value !== 'function' || String(value).startsWith('class ')) continue
    exported.push(name)
    all[name] = value
  }
  for (const entry of list.trim().split(/\s+/)) {
    const [name = '', place] = entry.split(':')
    known.push(name)
    // The arguments before the options are not reached: options are checked first.
    if (place === undefined || place === '!') continue
    const called = all[name]!
    const title = CALLS[name] === undefined ? name : `${file}: ${name}`
    CALLS[title] = (options) => called(...Array.from({ length: Number(place) }, () => []), options, {})
  }
}

type Methods = Readonly<Record<string, (...args: readonly unknown[]) => unknown>>
const repertoire = (await all['openRepertoire']!({ sources: [] })) as Methods & { readonly catalog: Methods }
const session = repertoire['openSession']!() as Methods
const model = all['openAICompatible']!({ baseURL: 'http://127.0.0.1:9/v1', model: 'any' })
const loop = all['createReActLoop']!({ model, session }) as Methods & {
  readonly stream: (...args: readonly unknown[]) => AsyncIterator<unknown>
}
const agent = all['skillsAgent']!({ model: 'any', repertoire, sessions: all['memorySessions']!() }) as Methods
const call = { id: '1', tool: 'Read', input: {} }
const lease = { session: 'a', token: 1 }
const skill = {
  manifest: { name: 'pdf', description: 'Reads.' },
  definition: { type: 'instruction', content: 'Read.' },
}

/** Methods with options: their object, and for each method the arguments before the options. */
const METHODS: Readonly<
  Record<string, readonly [object: unknown, before: Readonly<Record<string, readonly unknown[]>>]>
> = {
  catalog: [repertoire.catalog, { get: ['pdf'], has: ['pdf'], list: [], search: ['pdf'] }],
  executor: [all['createSkillExecutor']!(), { check: [], execute: [] }],
  loop: [loop, { run: ['hello'] }],
  provider: [repertoire['provider']!(), { items: [] }],
  repertoire: [
    repertoire,
    { explain: ['pdf'], load: ['pdf'], openSession: [], provider: [], reload: [], runTask: [], tiers: [] },
  ],
  session: [
    session,
    {
      ask: [() => Promise.resolve({}), () => true],
      beginTurn: ['hello'],
      call: [call, () => 'ran'],
      preview: [call],
      activate: ['pdf'],
      question: [() => Promise.resolve(true)],
      step: [],
      view: [],
    },
  ],
  step: [await session['step']!({ tools: [] }), { prompt: [] }],
  sessions: [all['memorySessions']!(), { acquire: ['a'], renew: [lease], save: [lease, {}] }],
  store: [
    await all['openFileStore']!({ root: '/nowhere', layer: 'project' }),
    { delete: ['pdf'], replace: ['pdf', new Map()], save: [skill], saveResource: ['pdf', 'a.md', 'A'] },
  ],
}
for (const [name, [object, methods]] of Object.entries(METHODS))
  for (const [method, before] of Object.entries(methods))
    CALLS[`${name}.${method}`] = (options) => (object as Methods)[method]!(...before, options, async () => {})

Object.assign(CALLS, {
  queryOptions: (options) => all['queryOptions']!(session, options),
  skillsQuery: (options) => all['skillsQuery']!(session, 'hello', options),
  getSkillItems: (options) => all['getSkillItems']!(undefined, {}, options),
  openStoredSession: (options) => all['openStoredSession']!(repertoire, options),
  withStoredSession: (options) => all['withStoredSession']!(repertoire, options, () => {}),
  openAdapterSession: (options) => all['openAdapterSession']!(repertoire, options),
  openSkills: (options) => all['openSkills']!('./skills', options),
  'agent.generate': (options) => agent['generate']!({ prompt: 'hello', options }),
  withSkills: (options) => all['withSkills']!(session, options),
  endSkills: (options) => all['endSkills']!(repertoire, {}, {}, options),
  skillsMiddleware: (options) => all['skillsMiddleware']!(repertoire, options),
  'loop.stream': (options) => loop.stream('hello', options).next(),
} satisfies Record<string, Call>)
