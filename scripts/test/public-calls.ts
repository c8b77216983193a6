import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import * as aiSdk from '../../packages/ai-sdk/src/index.ts'
import * as conformance from '../../packages/conformance/src/index.ts'
import * as core from '../../packages/core/src/index.ts'
import * as adapter from '../../packages/core/src/adapter.ts'
import * as node from '../../packages/core/src/node/index.ts'
import * as openTelemetry from '../../packages/core/src/opentelemetry/index.ts'
import * as schema from '../../packages/core/src/schema/index.ts'
import * as stores from '../../packages/core/src/stores.ts'
import * as loop from '../../packages/react-loop/src/index.ts'
import * as runners from '../../packages/runners/src/index.ts'
import * as contract from '../../packages/runners/src/testing.ts'
import * as tools from '../../packages/tools/src/index.ts'
import * as network from '../../packages/tools/src/network.ts'

type Options = Readonly<Record<string, unknown>>
type Call = (options: Options) => unknown
type Functions = Readonly<Record<string, (...args: unknown[]) => unknown>>

// By their paths: these packages are compiled with other options than these tests.
const importFrom = async (file: string): Promise<Functions> =>
  (await import(pathToFileURL(join(import.meta.dirname, '../../packages', file)).href)) as Functions
const langchain = await importFrom('langchain/src/index.ts')
const library = await importFrom('library/src/index.ts')
const mcp = await importFrom('library/src/mcp.ts')
const storeContracts = await importFrom('library/src/testing.ts')
const storage = await importFrom('storage/src/index.ts')
const sessionContracts = await importFrom('storage/src/testing.ts')

/** An argument that is not reached: options are checked first. */
const unused = {} as never
const repertoire = core.openRepertoire({ sources: [] })

/** Calls of functions of which the options are the first argument. */
function callsOf(functions: Functions, names: string): Readonly<Record<string, Call>> {
  return Object.fromEntries(
    names
      .trim()
      .split(/\s+/)
      .map((name) => [name, (options) => functions[name]!(options)]),
  )
}

/** A call of every public function that has options. */
export const CALLS: Readonly<Record<string, Call>> = {
  adviseSkill: (options) => core.adviseSkill(unused, unused, options),
  clientConsentRequest: (options) => core.clientConsentRequest(unused, options),
  createExecutor: (options) => core.createExecutor(options),
  findResource: (options) => core.findResource(unused, 'a.md', options),
  getSkillItems: (options) => core.getSkillItems(undefined, {}, options),
  memorySessions: (options) => core.memorySessions(options),
  memorySource: (options) => core.memorySource(options as never),
  openRepertoire: (options) => core.openRepertoire(options as never),
  openStoredSession: async (options) => core.openStoredSession(await repertoire, options as never),
  parseSkill: (options) => core.parseSkill('', options),
  readResource: (options) => core.readResource(unused, 'a.md', options),
  renderListing: (options) => core.renderListing([], 'xml', options),
  withStoredSession: async (options) => core.withStoredSession(await repertoire, options as never, () => unused),
  invocationConsentRequest: (options) => adapter.invocationConsentRequest(unused, '/a', 'b', options),
  beginTurnWithConsent: (options) => adapter.beginTurnWithConsent(unused, '/a', options as never),
  modelFor: (options) => adapter.modelFor({}, options as never),
  measureFolder: (options) => stores.measureFolder(unused, unused, unused, options),
  checkSessionOptions: (options) => stores.checkSessionOptions('save', options),
  ensureDefaults: (options) => node.ensureDefaults(options),
  directorySource: (options) => node.directorySource(options as never),
  embedSkills: (options) => node.embedSkills(options as never),
  jsonLinesAudit: (options) => node.jsonLinesAudit(options as never),
  loadConfiguration: (options) => node.loadConfiguration(options),
  moduleToolsets: (options) => node.moduleToolsets(options),
  openConfigured: (options) => node.openConfigured(options),
  openSkillFolder: (options) => node.openSkillFolder('/nowhere', options),
  packageSource: (options) => node.packageSource(options as never),
  privateMounts: (options) => node.privateMounts(options as never),
  saveResource: (options) => node.saveResource(unused, 'a.md', new Uint8Array(), options),
  standardSources: (options) => node.standardSources(options),
  openTelemetryAudit: (options) => openTelemetry.openTelemetryAudit(options),
  withSkills: async (options) => aiSdk.withSkills((await repertoire).openSession(), options as never),
  activeSkills: (options) => langchain['activeSkills']!(unused, {}, options),
  endSkills: async (options) => langchain['endSkills']!(await repertoire, unused, {}, options),
  skillsMiddleware: async (options) => langchain['skillsMiddleware']!(await repertoire, options),
  anthropic: (options) => loop.anthropic(options as never),
  createReActLoop: (options) => loop.createReActLoop(options as never),
  gemini: (options) => loop.gemini(options as never),
  openAICompatible: (options) => loop.openAICompatible(options as never),
  openAIResponses: (options) => loop.openAIResponses(options as never),
  openBubblewrap: (options) => runners.openBubblewrap(options),
  processRunner: (options) => runners.processRunner(options),
  sandboxRunner: (options) => runners.sandboxRunner(options as never),
  virtualRunner: (options) => runners.virtualRunner(options),
  runnerContract: (options) => contract.runnerContract(options as never, unused),
  builtInTools: (options) => tools.builtInTools(options),
  executeCommandTool: (options) => tools.executeCommandTool(options as never),
  executeSqlTool: (options) => tools.executeSqlTool(options as never),
  fileOperationsTool: (options) => tools.fileOperationsTool(options),
  httpRequestTool: (options) => tools.httpRequestTool(options),
  openBashTool: (options) => tools.openBashTool(options as never),
  openBuiltInTools: (options) => tools.openBuiltInTools(options),
  guardedConnector: (options) => network.guardedConnector(() => true, options as never),
  missedAims: (options) => conformance.missedAims([], options),
  renderTerminal: (options) => conformance.renderTerminal(unused, options),
  renderMarkdown: (options) => conformance.renderMarkdown(unused, options),
  runConformance: (options) => conformance.runConformance(options as never),
  runScenario: (options) => conformance.runScenario(unused, unused, options),
  scriptedAgent: (options) => conformance.scriptedAgent(options as never),
  ...callsOf(
    library,
    `checkPlaces clearLeftovers createRegistry findLeftovers locateProject memoryStore openFileStore planAdd planInstall
    planRemove planUpdate readGlobalLock recoverProject unstorageSource verifyGlobalSkills verifySkills`,
  ),
  buildFromSteps: (options) => library['buildFromSteps']!('pdf', 'Reads.', [options]),
  changeSkillsLock: (options) => library['changeSkillsLock']!('/nowhere', () => {}, options),
  openConfiguredStore: (options) => library['openConfiguredStore']!({ writeRoot: '/nowhere' }, options),
  packSkill: (options) => library['packSkill']!(unused, 'pdf', options),
  readMarketplace: (options) => library['readMarketplace']!('/nowhere', options),
  resolveOrigin: (options) => library['resolveOrigin']!('/nowhere', options),
  resolvePlugin: (options) => library['resolvePlugin']!('/nowhere', options),
  ...callsOf(mcp, 'mcpSource openMcpOrigin serveSkillsOverHttp serveSkillsOverStdio'),
  attachSkills: (options) => mcp['attachSkills']!(unused, options),
  storeContract: (options) => storeContracts['storeContract']!(options, unused),
  ...callsOf(
    storage,
    'openFileSessions openPostgresSessions openSkillStores postgresEngine redisEngine redisSessions s3Engine',
  ),
  sessionStoreContract: (options) => sessionContracts['sessionStoreContract']!(options, unused),
}

const lease = { session: 'a', token: 1 }
const skill = {
  manifest: { name: 'pdf', description: 'Reads.' },
  definition: { type: 'instruction', content: 'Read.' },
}
const store = (): Functions => library['memoryStore']!({ layer: 'project' }) as Functions
const executor = core.createExecutor()
const session = (await repertoire).openSession()
const call = { id: '1', tool: 'Read', input: {} }

/** A call of every method that has options. */
export const METHODS: Readonly<Record<string, Call>> = {
  'catalog.search': async (options) => (await repertoire).catalog.search('pdf', options),
  'executor.check': (options) => executor.check(options as never),
  'executor.execute': (options) => executor.execute(options as never),
  'loop.run': (options) => agent().run('hello', options),
  'loop.stream': (options) => agent().stream('hello', options).next(),
  'mounts.sweep': (options) => node.privateMounts({ root: '/nowhere' }).sweep(options as never),
  'provider.items': async (options) => (await repertoire).provider().items(options),
  'repertoire.explain': async (options) => (await repertoire).explain('pdf', options),
  'repertoire.explain, with tools': async (options) => (await repertoire).explain('pdf', {}, options),
  'repertoire.load': async (options) => (await repertoire).load('pdf', options),
  'repertoire.openSession': async (options) => (await repertoire).openSession(options),
  'repertoire.provider': async (options) => (await repertoire).provider(options),
  'repertoire.reload': async (options) => (await repertoire).reload(options),
  'repertoire.runTask': async (options) => (await repertoire).runTask(options, async () => {}),
  'repertoire.tiers': async (options) => (await repertoire).tiers(options),
  'session.ask': (options) => session.ask(unused, () => true, options),
  'session.beginStep': (options) => session.beginStep([], options),
  'session.beginTurn': (options) => session.beginTurn('hello', options),
  'session.call': (options) => session.call(call, () => 'ran', options),
  'session.consentFor': (options) => session.consentFor(call, options),
  'session.invoke': (options) => session.invoke(unused, options),
  'session.question': (options) => session.question(() => Promise.resolve(true), options),
  'sessions.acquire': (options) => core.memorySessions().acquire('a', options as never),
  'sessions.renew': (options) => core.memorySessions().renew(lease, options as never),
  'sessions.save': (options) => core.memorySessions().save(lease, {}, options as never),
  'store.delete': (options) => store()['delete']!('pdf', options),
  'store.replace': (options) => store()['replace']!('pdf', new Map(), options),
  'store.save': (options) => store()['save']!(skill, options),
  'store.saveResource': (options) => store()['saveResource']!('pdf', 'a.md', 'A', options),
}

function agent(): loop.ReActLoop {
  return loop.createReActLoop({
    model: loop.openAICompatible({ baseURL: 'http://127.0.0.1:9/v1', model: 'any' }),
    session,
  })
}

/** What every entry exports. */
export const ENTRIES: readonly object[] = [
  core,
  adapter,
  stores,
  node,
  schema,
  openTelemetry,
  aiSdk,
  langchain,
  library,
  mcp,
  storeContracts,
  loop,
  runners,
  contract,
  storage,
  sessionContracts,
  tools,
  network,
  conformance,
]
