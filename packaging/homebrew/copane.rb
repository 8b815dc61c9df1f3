class Copane < Formula
  desc "Companion pane for people who work with an AI CLI in tmux"
  homepage "https://github.com/copane/copane"
  url "https://github.com/copane/copane/releases/download/v0.1.0/copane-0.1.0.tgz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "MIT"

  depends_on "node"
  depends_on "tmux"

  def install
    system "npm", "install", *std_npm_args
    bin.install_symlink libexec.glob("bin/*")
    man1.install libexec/"lib/node_modules/copane/docs/copane.1"
    completions = libexec/"lib/node_modules/copane/shell/completions"
    zsh_completion.install completions/"_copane"
    bash_completion.install completions/"copane.bash" => "copane"
    fish_completion.install completions/"copane.fish"
  end

  test do
    assert_equal version.to_s, shell_output("#{bin}/copane --version").strip
    (testpath/"a.ts").write "export function one() {}\n"
    assert_match "one", shell_output("#{bin}/copane map a.ts")
  end
end
