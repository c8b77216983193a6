import type { ScriptInspection, ScriptNeed, ScriptRefusal } from '@repertoire/core'

/** The modules of Node that it has, each with what can be imported from it. */
const MODULES: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    assert:
      'ok equal notEqual strictEqual notStrictEqual deepEqual deepStrictEqual notDeepEqual throws doesNotThrow fail',
    buffer: 'Buffer',
    child_process: 'exec execSync spawnSync',
    console: 'log error warn',
    events: 'EventEmitter',
    fs:
      'readFile readFileBuffer writeFile stat readdir mkdir rm exists appendFile lstat symlink readlink chmod realpath ' +
      'rename copyFile readFileSync writeFileSync statSync lstatSync readdirSync mkdirSync rmSync existsSync ' +
      'appendFileSync symlinkSync readlinkSync chmodSync realpathSync renameSync copyFileSync unlinkSync rmdirSync ' +
      'unlink rmdir promises',
    os: 'platform arch homedir tmpdir type hostname EOL cpus totalmem freemem endianness',
    path: 'sep delimiter join resolve normalize isAbsolute dirname basename extname relative parse format posix',
    process: 'argv cwd exit env platform arch versions version',
    querystring: 'parse stringify escape unescape decode encode',
    stream: 'Stream Readable Writable Duplex Transform PassThrough pipeline',
    string_decoder: 'StringDecoder',
    url: 'URL URLSearchParams parse format',
    util: 'format inspect promisify types inherits',
  }).map(([name, exported]) => [name, new Set(['default', ...exported.split(' ')])]),
)

/** `import x from 'y'`, `export * from 'y'`, `import 'y'`, `import('y')`, `require('y')`: the names in braces, and the module. */
const IMPORT =
  /(?:\b(import|export)\s+(?:type\s)?(?:[\w$*\s,]*?(?:\{([^{}]*)\})?\s*from\s*)?|\b(import|require)\s*\(\s*)(["'])([^"'\n]+)\4/g
const COMPUTED_IMPORT = /\b(?:import|require)\s*\(\s*(?!["'])[^\s)]/

/** What Node has everywhere, and it does not. */
const GLOBALS =
  /(?<![\w$.'"`-])(setTimeout|setInterval|setImmediate|TextEncoder|TextDecoder|structuredClone|Intl|AbortController|AbortSignal|performance|queueMicrotask|__dirname|__filename|module\.exports|exports\.\w+|require\.main|process\.(?:stdin|stdout|stderr|on|once|nextTick|hrtime|memoryUsage|uptime|kill|chdir)|console\.(?:table|dir|group|info|debug|time|assert|trace))(?![\w$])/g

/** What it does otherwise, without an error. */
const DIFFERENCES: readonly (readonly [RegExp, string])[] = [
  [/\bprocess\.exitCode\b/, 'process.exitCode changes nothing: the script ends with 0. Use process.exit'],
  [/\bimport\.meta\b/, 'import.meta is empty'],
  [/\.(?:toLocale\w*String|localeCompare)\s*\(/, 'it has no languages: toLocaleString and localeCompare are plain'],
  [
    /\bconsole\.(?:log|warn|error)\(\s*(["'`])[^"'`]*%[sdifjoOc][^"'`]*\1\s*,/,
    'console.log fills nothing into %s and %d',
  ],
]

/**
 * Which modules and other parts of Node a script uses that QuickJS lacks, and what it does otherwise. By the text alone.
 * @param path its ending tells how it is read: as a module (`.mjs`, `.ts`, `.mts`) or not
 */
export function inspectJavaScript(text: string, path: string): ScriptInspection {
  const code = withoutComments(text)
  const lines = code.split('\n')
  const missing = new Map<string, ScriptNeed>()
  const need = (name: string, index: number): void => {
    const line = code.slice(0, index).split('\n').length
    const certain = !/^\s/.test(lines[line - 1] ?? '')
    const before = missing.get(name)
    if (before === undefined || (certain && !before.certain)) missing.set(name, { kind: 'module', name, line, certain })
  }
  for (const { 1: statement, 2: named = '', 3: call, 5: from = '', index } of code.matchAll(IMPORT)) {
    const name = from.replace(/^node:/, '')
    const isRelative = /^[./]/.test(name)
    const exported = MODULES.get(name)
    // A script that is not a module imports nothing by a statement, and no file by a call of `require`.
    if (call === 'require' ? isRelative : statement !== undefined && /\.c?js$/.test(path)) need(from, index)
    else if (isRelative) continue
    else if (exported === undefined) need(from, index)
    else for (const part of namesIn(named)) if (!exported.has(part)) need(`${name}.${part}`, index)
  }
  for (const { 1: name = '', index } of code.matchAll(GLOBALS)) need(name, index)
  const unknown = lines.flatMap((line, index) => (COMPUTED_IMPORT.test(line) ? [index + 1] : []))
  const refused = lines.flatMap((line, index) => differencesIn(line, index + 1, path))
  refused.push(...unheard(code, path))
  return {
    missing: [...missing.values()].toSorted((one, other) => one.line - other.line),
    unknown,
    ...(refused.length > 0 && { refused: refused.toSorted((one, other) => one.line - other.line) }),
  }
}

/** What a script imports, by the names that are written there, each once. */
export function importedModules(text: string): readonly { readonly name: string; readonly line: number }[] {
  const code = withoutComments(text)
  const found = new Map<string, number>()
  for (const { 5: name = '', index } of code.matchAll(IMPORT))
    if (!found.has(name)) found.set(name, code.slice(0, index).split('\n').length)
  return [...found].map(([name, line]) => ({ name, line }))
}

function differencesIn(text: string, line: number, path: string): readonly ScriptRefusal[] {
  return DIFFERENCES.flatMap(([pattern, reason]) => (pattern.test(text) ? [{ path, line, reason }] : []))
}

/** Calls of an asynchronous function on the outermost level that nothing waits for: where they fail, Node ends with 1. */
function unheard(code: string, path: string): readonly ScriptRefusal[] {
  const asynchronous = new Set(
    [...code.matchAll(/\basync\s+function\s+([\w$]+)|\b([\w$]+)\s*=\s*async\b/g)].map(([, one, other]) => one ?? other),
  )
  const reason =
    'nothing waits for an asynchronous function: where it fails, the script ends with 0. Write await, or .catch'
  return code.split('\n').flatMap((text, index) => {
    const called = /^(?:void\s+)?([\w$]+)\([^()]*\);?\s*$/.exec(text)?.[1]
    const isUnheard = (called !== undefined && asynchronous.has(called)) || /^\}\)\(\);?\s*$/.test(text)
    return isUnheard && code.includes('async') ? [{ path, line: index + 1, reason }] : []
  })
}

/** `{ a, b as c, type D }`: a and b. */
function namesIn(braces: string): readonly string[] {
  return braces
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '' && !part.startsWith('type '))
    .map((part) => part.split(/\s/)[0] ?? '')
}

/** Comments keep their lines and lose their text. What stands in quotes after two slashes, such as an address, stays. */
function withoutComments(text: string): string {
  return text
    .replaceAll(/\/\*[^]*?\*\//g, (comment) => comment.replaceAll(/[^\n]/g, ' '))
    .replaceAll(/^(\s*)\/\/.*$/gm, '$1')
}
