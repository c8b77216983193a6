import { readPlainYaml } from './src/yaml/plain.ts'
import { createYamlReader } from './src/yaml/yaml.ts'
const full = createYamlReader(await import('js-yaml'))
console.log(JSON.stringify(readPlainYaml('k0: \n-  b\n', 2))); console.log(JSON.stringify(full('k0: \n-  b\n', 2)))
