declare module 'virtual:worker' {
  const source: string
  export default source
}
declare module '*.css'
