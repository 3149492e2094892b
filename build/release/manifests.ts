/** Writes manifests for Homebrew and Scoop, with the URLs and sums of the archives. */
import { archiveName, manifestNames, type System } from './artefacts.ts';
import { downloadOf, type Facts, summary } from './facts.ts';

type Sums = ReadonlyMap<string, string>;

/** The manifests by their names. They need an address to download from, `project.repository`. */
export function manifestsOf(facts: Facts, sums: Sums): Map<string, string> {
  const [formula, manifest] = manifestNames;
  return new Map([
    [formula, homebrewOf(facts, sums)],
    [manifest, scoopOf(facts, sums)],
  ]);
}

function archiveOf(facts: Facts, sums: Sums, system: System): { readonly url: string; readonly sum: string } {
  const name = archiveName(facts.version, system);
  const sum = sums.get(name);
  if (sum === undefined) throw new Error(`${name} has no sum`);
  return { url: downloadOf(facts, name), sum };
}

const homepageOf = ({ project: { homepage, repository } }: Facts) => homepage || repository;

function homebrewOf(facts: Facts, sums: Sums): string {
  const cpu = (name: string, system: System) => {
    const { url, sum } = archiveOf(facts, sums, system);
    return `    on_${name} do
      url "${url}"
      sha256 "${sum}"
    end`;
  };
  return `class Iiot < Formula
  desc "${summary}"
  homepage "${homepageOf(facts)}"
  version "${facts.version}"
  license "MIT"

  on_macos do
${cpu('arm', 'darwin-arm64')}
${cpu('intel', 'darwin-x64')}
  end

  on_linux do
${cpu('arm', 'linux-arm64')}
${cpu('intel', 'linux-x64')}
  end

  def install
    bin.install "iiot"
    man1.install Dir["man/*.1"]
    bash_completion.install "completions/iiot.bash" => "iiot"
    zsh_completion.install "completions/_iiot"
    fish_completion.install "completions/iiot.fish"
    # The program was changed after Node's authors signed it.
    system "codesign", "--force", "--sign", "-", bin/"iiot" if OS.mac?
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/iiot --version")
  end
end
`;
}

function scoopOf(facts: Facts, sums: Sums): string {
  const { url, sum } = archiveOf(facts, sums, 'win-x64');
  const manifest = {
    version: facts.version,
    description: summary,
    homepage: homepageOf(facts),
    license: 'MIT',
    architecture: {
      '64bit': { url, hash: sum, extract_dir: archiveName(facts.version, 'win-x64').replace(/\.zip$/, '') },
    },
    bin: 'iiot.exe',
  };
  return `${JSON.stringify(manifest, undefined, 4)}\n`;
}
