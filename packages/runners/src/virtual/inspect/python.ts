import type { ScriptInspection, ScriptNeed } from '@repertoire/core'

/** Modules of its standard library that can be imported and do their work, as far as it needs no processes, threads or sockets. */
const MODULES: ReadonlySet<string> = new Set(
  (
    '__future__ abc argparse array ast atexit base64 bdb binascii bisect builtins bz2 cProfile calendar cmath cmd code codecs ' +
    'codeop collections colorsys compileall configparser contextlib contextvars copy copyreg csv dataclasses datetime ' +
    'decimal difflib dis doctest email encodings enum errno faulthandler filecmp fileinput fnmatch fractions ' +
    'functools gc genericpath getopt getpass gettext glob graphlib gzip hashlib heapq hmac html importlib ' +
    'inspect io ipaddress itertools json keyword linecache locale logging mailbox marshal math mimetypes modulefinder ' +
    'netrc ntpath numbers opcode operator optparse os pathlib pdb pickle pickletools pkgutil platform plistlib posixpath ' +
    'pprint profile pstats py_compile pyclbr quopri random re reprlib runpy sched secrets shelve shlex shutil ' +
    'site stat statistics string stringprep struct symtable sys sysconfig tabnanny tarfile tempfile textwrap time timeit ' +
    'token tokenize tomllib trace traceback types typing unicodedata unittest uuid warnings wave weakref xml zipapp ' +
    'zipfile zipimport zlib'
  ).split(' '),
)
/** Parts of packages that work, where others do not. */
const PARTS: ReadonlySet<string> = new Set(['urllib.parse', 'urllib.error', 'http', 'urllib'])

const TEXTS = /("""|''')[^]*?\1/g
const IMPORT =
  /^(\s*)(?:import\s+([\w.]+(?:\s+as\s+\w+)?(?:\s*,\s*[\w.]+(?:\s+as\s+\w+)?)*)|from\s+(\.*[\w.]*)\s+import\b)/

/** Whether the virtual Python has a module that does its work there. */
const isVirtual = (name: string): boolean => MODULES.has(name.split('.')[0] ?? '') || PARTS.has(name)

/** Which modules a Python script imports that are not there: by default those that the virtual Python lacks. By the text alone. */
export function inspectPython(
  text: string,
  isThere: (name: string) => boolean = isVirtual,
): Pick<ScriptInspection, 'missing' | 'unknown'> {
  const missing = new Map<string, ScriptNeed>()
  const unknown: number[] = []
  // What is in quotes keeps its lines and loses its text.
  const lines = text.replaceAll(TEXTS, (quoted) => quoted.replaceAll(/[^\n]/g, ' ')).split('\n')
  for (const [index, line] of lines.entries()) {
    if (/\b(?:__import__|import_module)\s*\(/.test(line)) unknown.push(index + 1)
    const [, indent = '', list, from] = IMPORT.exec(line) ?? []
    const names = from === undefined ? (list?.split(',') ?? []) : [from]
    for (const given of names) {
      const name = given.trim().split(/\s/)[0] ?? ''
      const top = name.split('.')[0] ?? ''
      if (isThere(name)) continue
      const shown = top === 'urllib' || top === 'http' ? name : top === '' ? name : top
      const certain = indent === ''
      const before = missing.get(shown)
      if (before === undefined || (certain && !before.certain))
        missing.set(shown, { kind: 'module', name: shown, line: index + 1, certain })
    }
  }
  return { missing: [...missing.values()].toSorted((one, other) => one.line - other.line), unknown }
}
