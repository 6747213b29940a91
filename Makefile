# Every command of the project. `make` alone prints them.
.DEFAULT_GOAL := help
SHELL := /usr/bin/env bash
.SHELLFLAGS := -euo pipefail -c

# One set of flags for every build, so that `check` and `test` share what they compile.
SWIFT_FLAGS := --explicit-target-dependency-import-check error

.PHONY: help build demo test test-debug nightly check docs sanitize sanitize-loops bench soak install deb image dist clean

# Where `make install` puts things; DESTDIR goes before it.
PREFIX ?= /usr/local

help: ## prints this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: ## the gateway, optimised: .build/release/gateway
	scripts/bootstrap build
	packaging/build-release $(SWIFT_FLAGS)

demo: build ## a local identity provider, an example app and the gateway; prints the address to open
	.build/release/gateway demo

test: ## all tests of a landing: Swift Testing, the release build end to end, the debug build, packaging, costs
	SWIFT_FLAGS="$(SWIFT_FLAGS)" scripts/test

test-debug: ## end-to-end tests against the debug build, where Swift checks exclusive access, on both transports
	SWIFT_FLAGS="$(SWIFT_FLAGS)" scripts/test debug

nightly: ## every end-to-end test against the debug build and on SwiftNIO's sockets; writes docs/nightly.md
	SWIFT_FLAGS="$(SWIFT_FLAGS)" scripts/nightly

sanitize: ## every test under the Thread Sanitizer, then under the Address Sanitizer; takes about an hour
	SWIFT_FLAGS="$(SWIFT_FLAGS)" scripts/sanitize thread
	SWIFT_FLAGS="$(SWIFT_FLAGS)" scripts/sanitize address

sanitize-loops: ## the changed modules that run on event loops, under the Thread Sanitizer; records in Tests/sanitized.json that they passed
	SWIFT_FLAGS="$(SWIFT_FLAGS)" scripts/sanitize thread changed

check: ## formatting, scripts, imports, examples: what a review should not have to say
	SWIFT_FLAGS="$(SWIFT_FLAGS)" scripts/check

docs: ## the documentation as a site with a search: .build/site; a broken link fails the build
	scripts/bootstrap docs
	# Without --quiet: it would hide the warnings from --strict, too.
	NO_MKDOCS_2_WARNING=1 .venv/bin/mkdocs build --strict
	@echo "docs: python3 -m http.server --bind 127.0.0.1 --directory .build/site"

bench: ## what it costs beside nginx, HAProxy, Envoy, Caddy and Apache; prints Markdown tables
	scripts/bootstrap bench
	packaging/build-release $(SWIFT_FLAGS)
	.venv/bin/python Benchmarks/bench.py $(BENCH_ARGS)

soak: ## ten minutes at full load with reloads, clients that leave and upstreams that die; SOAK_ARGS="--seconds 60"
	scripts/bootstrap bench
	packaging/build-release $(SWIFT_FLAGS)
	.venv/bin/python Benchmarks/soak.py $(SOAK_ARGS)

install: build ## the program, its manual, completions and examples below PREFIX (default /usr/local)
	packaging/stage .build/release/gateway $(DESTDIR)$(PREFIX)

# What is shipped has no debugging information.
STRIPPED := .build/stripped/gateway

.PHONY: stripped
stripped: build
	packaging/strip .build/release/gateway $(STRIPPED)

deb: stripped ## a Debian package: dist/gateway_VERSION_ARCH.deb
	packaging/deb $(STRIPPED) dist

image: stripped ## the container image gateway:local: dist/gateway-image.tar, for docker load and skopeo
	rm -rf .build/rootfs
	packaging/rootfs $(STRIPPED) .build/rootfs
	packaging/image .build/rootfs dist/gateway-image.tar

dist: stripped ## a tarball for copying to other machines: dist/gateway-VERSION-linux-ARCH.tar.gz
	packaging/tarball $(STRIPPED) dist

clean: ## removes what was built; keeps .venv
	rm -rf .build
