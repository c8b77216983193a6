import { list, type Program } from './program.ts'

/** Programs for the network, for other machines, and for keys. */
export const NETWORK: readonly Program[] = [
  {
    names: ['ssh'],
    exactOnly: 'runs-programs',
    readsCommands: true,
    examples: { refused: ['ssh host id'] },
  },
  {
    names: list('sftp lftp mosh autossh sshfs ssh-copy-id socat ncat'),
    exactOnly: 'runs-programs',
    examples: { refused: ['sftp host'] },
  },
  {
    names: ['curl'],
    unsafe: {
      options: list(
        '--config --engine --libcurl --trace --trace-ascii --stderr --cookie-jar --dump-header --hsts --alt-svc --etag-save ' +
          '--ssl-sessions',
      ),
      harmless: ['--cookie'],
      letters: 'cDK',
      valued: 'AbdeFHouwX',
      // Behind -w, what goes to a file.
      shape: /%output\{/,
    },
    examples: {
      permitted: ['curl -fsSL https://a.b -o x'],
      refused: ['curl -sK x', "curl -w '%output{x}y' https://a.b"],
    },
  },
  {
    names: ['yt-dlp', 'youtube-dl', 'yt-dlp_linux'],
    unsafe: {
      // Others run programs, load plugins and configurations, or write what they are given to files.
      known:
        /^-(?:[FxqvsjJS4ik]|[fopS].*|-(?:format|list-formats|extract-audio|audio-format|audio-quality|video-password|quiet|verbose|no-playlist|yes-playlist|playlist-items|playlist-start|playlist-end|get-\w+|dump-json|dump-single-json|skip-download|write-subs|write-auto-subs|write-sub|write-auto-sub|sub-langs|sub-lang|sub-format|list-subs|print|simulate|version|newline|no-progress|restrict-filenames|no-warnings|output|format-sort|flat-playlist|match-title|merge-output-format|recode-video|remux-video|limit-rate|retries|embed-subs|embed-thumbnail|embed-metadata|no-overwrites|continue|max-downloads)(?:=.*)?)$/s,
    },
    examples: {
      permitted: ['yt-dlp -f best -o x https://a.b', 'yt-dlp --dump-json https://a.b'],
      refused: ['yt-dlp --exec id x', 'yt-dlp --exe id x', 'yt-dlp --netrc-cmd id x', 'yt-dlp --config-locations x y'],
    },
  },
  {
    names: ['wget'],
    unsafe: {
      options: list(
        '--config --execute --use-askpass --output-file --append-output --rejected-log --save-cookies --hsts-file --warc-file',
      ),
      letters: 'aeo',
      valued: 'AOPTU',
    },
    examples: { permitted: ['wget -qO- https://a.b'], refused: ['wget --use-askpass=id x', 'wget -o x https://a.b'] },
  },
  {
    names: ['nc', 'netcat'],
    unsafe: { options: ['--exec', '--sh-exec', '--lua-exec', '--output'], letters: 'ceo' },
    examples: { permitted: ['nc -z a 1'], refused: ['nc -e id a 1'] },
  },
  {
    names: ['nmap'],
    unsafe: {
      options: ['--datadir', '--append-output', '--servicedb', '--versiondb'],
      // Its own scripts have plain names. A path is a program.
      choices: [{ options: ['--script'], values: { has: (names) => /^[\w,*-]+$/.test(names) } }],
      // One dash does for long options too.
      shape: /^-(?:o[A-Z]|scr|dat|app|serviced|versiond)/,
    },
    examples: { permitted: ['nmap -sV --script vuln a'], refused: ['nmap --script=./x a', 'nmap -script=./x a'] },
  },
  {
    names: ['tcpdump'],
    unsafe: { letters: 'wz' },
    examples: { permitted: ['tcpdump -G 5'], refused: ['tcpdump -Gz x'] },
  },
  {
    names: ['tshark'],
    unsafe: { options: ['--export-objects', '--export-tls-session-keys'], letters: 'wX' },
    examples: { permitted: ['tshark -r x'], refused: ['tshark -X lua_script:x'] },
  },
  {
    names: ['ss'],
    unsafe: { options: ['--diag', '--kill'], letters: 'DK' },
    examples: { permitted: ['ss -tlnp'], refused: ['ss --kill'] },
  },
  {
    names: ['ip'],
    // Every abbreviation is accepted: "ip netns exec", "-batch".
    unsafe: { shape: /^(?:e|ex|exe|exec|-(?:b|ba|bat|batc|batch))$/ },
    examples: { permitted: ['ip addr show'], refused: ['ip netns exec x id', 'ip -ba x'] },
  },
  {
    names: ['iptables', 'ip6tables'],
    unsafe: { options: ['--modprobe'], letters: 'M' },
    examples: { permitted: ['iptables -L'], refused: ['iptables -M id -L'] },
  },
  {
    names: ['openssl'],
    unsafe: {
      syntax: 'single-dash',
      options: list('-engine -provider -provider-path -config -keylogfile -writerand -sess_out'),
      words: ['engine'],
    },
    examples: {
      permitted: ['openssl x509 -in x -text'],
      refused: ['openssl req -config x', 'openssl x509 --engine=x'],
    },
  },
  {
    names: ['gpg', 'gpg2'],
    unsafe: {
      options: list(
        '--agent-program --dirmngr-program --photo-viewer --exec-path --options --homedir --load-extension --output ' +
          '--log-file --logger-file --status-file --attribute-file',
      ),
      letters: 'o',
    },
    examples: { permitted: ['gpg --list-keys'], refused: ['gpg -k --agent-program id', 'gpg -o x -d y'] },
  },
  {
    names: ['ssh-keygen'],
    unsafe: { letters: 'Dw' },
    examples: { permitted: ['ssh-keygen -lf x'], refused: ['ssh-keygen -D ./x.so'] },
  },
  {
    names: ['ssh-add'],
    unsafe: { letters: 'sS' },
    examples: { permitted: ['ssh-add -l'], refused: ['ssh-add -s ./x.so'] },
  },
  {
    names: ['agent-browser'],
    unsafe: { options: ['--executable-path', '--extension', '--config', '--args'] },
    examples: { permitted: ['agent-browser open x'], refused: ['agent-browser --args=x open y'] },
  },
]
