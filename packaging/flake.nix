{
  description = "Companion pane for people who work with an AI CLI in tmux";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs =
    { self, nixpkgs }:
    let
      systems = [ "x86_64-linux" "aarch64-linux" "x86_64-darwin" "aarch64-darwin" ];
      each = make: nixpkgs.lib.genAttrs systems (system: make nixpkgs.legacyPackages.${system});
      # packaging/release.sh writes both.
      version = "0.1.0";
      sha256 = "0000000000000000000000000000000000000000000000000000000000000000";
    in
    {
      packages = each (pkgs: {
        default = pkgs.stdenv.mkDerivation {
          pname = "copane";
          inherit version;
          src = pkgs.fetchurl {
            url = "https://github.com/copane/copane/releases/download/v${version}/copane-${version}.tgz";
            inherit sha256;
          };
          nativeBuildInputs = [ pkgs.makeWrapper pkgs.installShellFiles ];
          # The tarball is built, with all but its two native packages. ripgrep comes from nixpkgs; without node-pty,
          # zsh's own completions are left out.
          dontBuild = true;
          installPhase = ''
            mkdir -p $out/lib/copane $out/bin
            cp -r . $out/lib/copane
            makeWrapper $out/lib/copane/bin/copane $out/bin/copane --set COPANE_NODE ${pkgs.nodejs_24}/bin/node \
              --prefix PATH : ${pkgs.lib.makeBinPath [ pkgs.tmux pkgs.git pkgs.ripgrep ]}
            installManPage docs/copane.1
            installShellCompletion --zsh shell/completions/_copane
            installShellCompletion --bash shell/completions/copane.bash --fish shell/completions/copane.fish
          '';
          meta = {
            description = "Companion pane for people who work with an AI CLI in tmux";
            homepage = "https://github.com/copane/copane";
            license = pkgs.lib.licenses.mit;
            mainProgram = "copane";
          };
        };
      });
    };
}
