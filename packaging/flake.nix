{
  description = "Companion pane for people who work with an AI CLI in tmux";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs =
    { self, nixpkgs }:
    let
      systems = [ "x86_64-linux" "aarch64-linux" "x86_64-darwin" "aarch64-darwin" ];
      each = make: nixpkgs.lib.genAttrs systems (system: make nixpkgs.legacyPackages.${system});
      manifest = builtins.fromJSON (builtins.readFile ../package.json);
    in
    {
      packages = each (pkgs: {
        default = pkgs.buildNpmPackage {
          pname = manifest.name;
          inherit (manifest) version;
          src = ../.;
          nodejs = pkgs.nodejs_24;
          # Of package-lock.json; packaging/release.sh writes it.
          npmDepsHash = "sha256-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";
          # The checkout's own Node comes by an install script, and is not needed here.
          npmFlags = [ "--ignore-scripts" ];
          nativeBuildInputs = [ pkgs.makeWrapper pkgs.installShellFiles ];
          postInstall = ''
            wrapProgram $out/bin/copane --set COPANE_NODE ${pkgs.nodejs_24}/bin/node \
              --prefix PATH : ${pkgs.lib.makeBinPath [ pkgs.tmux pkgs.git ]}
            installManPage docs/copane.1
            installShellCompletion shell/completions/_copane shell/completions/copane.bash shell/completions/copane.fish
          '';
          meta = {
            inherit (manifest) description homepage;
            license = pkgs.lib.licenses.mit;
            mainProgram = "copane";
          };
        };
      });
    };
}
