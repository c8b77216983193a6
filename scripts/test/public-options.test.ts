import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
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

// By its path: the package is compiled with other options than these tests.
const path = join(import.meta.dirname, '../../packages/langchain/src/index.ts')
const langchain = (await import(pathToFileURL(path).href)) as Readonly<Record<string, (...args: unknown[]) => unknown>>

/** An argument that is not reached: options are checked first. */
const unused = {} as never
const repertoire = core.openRepertoire({ sources: [] })

/** A call of every public function that has options. The library and the storage have tests of their own for this. */
const CALLS: Readonly<Record<string, Call>> = {
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
}

/** Public functions without options: what they take is data, or a handler. */
const WITHOUT = `
  bundledSource checkScripts createCounters digestFolder estimateTokens formatRule groupResources inspectDemands
  isSkillError listAsSection listAsXml listForTool renderSkill safeGitEnvironment showInvisible showName
  abandonedCallError activationText agentFor applyChange argumentsAsObject escapeXml failureText initialState
  isOutdatedYes isTextOfContent joinSystemPrompt messageText navigationGuidance parseInvocation partsUntilAborted
  readArguments readConsentAnswer resultText sentMessages skillSections skillToolName skillToolsOf stillRead
  unattendedCallError unattendedForkError unfinishedForkError uniqueCallIds
  checkResource checkSessionId checkSessionTenant checkSkillContent checkSkillFiles checkSkillName checkSkillPaths
  countChanges createPathIndex inTime isSameName leaseLost listFiles lockedFolderName lockedOriginText nearestNames
  readStored refuseConflict resourceParts revisionOf storedKey storedPathProblem storedSkillName versionConflict
  configuredSources openPinnedFolder readAudit replaceInherited frontmatterJsonSchema loadFrontmatterSchema
  approvalResponses consentRequests invocationRequest isRefusedCall needsApproval resumeWith createAddressCheck
  activate call deactivate failure figuresOf fixtureSkills lastRefusal lastResult openModelEndpoint renderJUnit
  renderJson renderOverview say together tokenSpread unexpected unknownCheckText
`

const ENTRIES = [
  core,
  adapter,
  stores,
  node,
  schema,
  openTelemetry,
  aiSdk,
  langchain,
  loop,
  runners,
  contract,
  tools,
  network,
  conformance,
]

it.each(Object.entries(CALLS))('[CFG-1] %s refuses an option that does not exist', async (_, call) => {
  const refused = (async () => call({ notAnOption: 1 }))()
  await expect(refused).rejects.toThrow(/notAnOption/)
  await expect(refused).rejects.toBeInstanceOf(TypeError)
})

it('[CFG-1] knows of every public function whether it has options', () => {
  const isClass = (value: unknown): boolean => String(value).startsWith('class ')
  const functions = ENTRIES.flatMap((entry) =>
    Object.entries(entry).flatMap(([name, value]) => (typeof value === 'function' && !isClass(value) ? [name] : [])),
  )
  const known = new Set([...Object.keys(CALLS), ...WITHOUT.trim().split(/\s+/)])
  expect(functions.filter((name) => !known.has(name))).toEqual([])
  expect([...known].filter((name) => !functions.includes(name))).toEqual([])
})
