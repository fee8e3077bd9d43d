#!/usr/bin/env python3
"""Opens the pages of `syncctl web` in headless Chromium and checks them. scripts/check/web runs it.

    web.py --self-test            the checks must find the faults of built-in pages
    web.py URL [options]          follows the links from each --start, and opens up to --each pages of a form

Prints a line per page, and ends with 1 if a check fails. Uses only Python's standard library.
"""
import argparse
import base64
import fcntl
import http.server
import json
import os
import re
import select
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
from pathlib import Path

SHOTS = (390, 820, 1400)
WIDTHS = (360, *SHOTS, 1600)
TIMEOUT = 30
LONGEST_SHOT = 4000
PLACEHOLDER = b'<svg xmlns="http://www.w3.org/2000/svg" width="300" height="400"><rect width="300" height="400"/></svg>'

# Returns what the DOM says about a page: faults, links and the number of tables.
STRUCTURE = r"""(() => {
  const faults = [], all = (selector) => [...document.querySelectorAll(selector)];
  const shown = (element) => element.outerHTML.slice(0, 120);
  const only = (selector) => { if (all(selector).length !== 1) faults.push(`${all(selector).length} × ${selector}`); };
  for (const selector of ["h1", "main", "header nav"]) only(selector);
  if (!document.documentElement.lang) faults.push("html has no lang");
  if (!document.title.trim()) faults.push("no title");
  if (!document.querySelector("meta[name=viewport]")) faults.push("no meta viewport");
  let level = 0;
  for (const heading of all("h1, h2, h3, h4, h5, h6")) {
    const next = Number(heading.tagName[1]);
    if (next > level + 1) faults.push(`h${next} follows h${level}: ${heading.textContent}`);
    if (!heading.textContent.trim()) faults.push("an empty heading");
    level = next;
  }
  for (const table of all("table")) {
    if (!table.caption || !table.caption.textContent.trim()) faults.push(`no caption: ${shown(table)}`);
  }
  for (const cell of all("th:not([scope])")) faults.push(`no scope: ${shown(cell)}`);
  for (const image of all("img")) {
    if (!image.hasAttribute("alt")) faults.push(`no alt: ${shown(image)}`);
    if (image.loading !== "lazy") faults.push(`not loading=lazy: ${shown(image)}`);
    if (image.referrerPolicy !== "no-referrer") faults.push(`no referrerpolicy: ${shown(image)}`);
  }
  for (const svg of all("svg")) {
    if (svg.getAttribute("aria-hidden") !== "true" && svg.getAttribute("role") !== "img") {
      faults.push(`an svg that is neither hidden nor role=img: ${shown(svg)}`);
    }
  }
  for (const field of all("input:not([type=hidden]), select, textarea")) {
    if (!field.labels.length && !field.ariaLabel) faults.push(`no label: ${shown(field)}`);
  }
  for (const element of all("button, input:not([type=hidden]), select")) {
    const box = element.getBoundingClientRect();
    if (box.width < 24 || box.height < 24) faults.push(`smaller than 24 px: ${shown(element)}`);
  }
  const ids = all("[id]").map((element) => element.id);
  for (const id of ids.filter((id, at) => ids.indexOf(id) !== at)) faults.push(`two elements have the id ${id}`);
  for (const element of all("script, iframe, object, embed, [style], style")) faults.push(`forbidden: ${shown(element)}`);
  for (const element of all("*")) {
    for (const {name, value} of element.attributes) {
      if (/^on/.test(name) || /^\s*(javascript|data):/i.test(value) && /^(href|src|action)$/.test(name)) {
        faults.push(`can run a script: ${shown(element)}`);
      }
    }
  }
  for (const element of all("[tabindex]")) if (element.tabIndex > 0) faults.push(`tabindex > 0: ${shown(element)}`);
  const hidden = /[\u200B\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/;
  if (hidden.test(document.documentElement.outerHTML)) faults.push("contains a hidden or bidirectional control character");
  const refresh = document.querySelector("meta[http-equiv=refresh]");
  return {
    faults, tables: all("table").length, text: document.body.innerText, refreshes: Boolean(refresh),
    links: all("a[href]:not([download])").map((link) => link.href),
    navigation: all("header nav a[href]").map((link) => link.href),
    sources: all("[src], link[href], [srcset]").map((element) => element.src || element.href || element.srcset),
  };
})()"""

# Returns the elements that make the page or a part of it scroll horizontally.
OVERFLOW = r"""(() => {
  const root = document.scrollingElement, faults = [];
  const name = (element) => element.outerHTML.slice(0, 100).replace(/\s+/g, " ");
  if (root.scrollWidth > root.clientWidth) {
    const wide = [...document.body.querySelectorAll("*")]
      .filter((element) => element.getBoundingClientRect().right > root.clientWidth + 1);
    faults.push(`scrolls to ${root.scrollWidth} px: ${wide.length ? name(wide[wide.length - 1]) : "?"}`);
  }
  for (const element of document.body.querySelectorAll("*")) {
    const scrolls = /auto|scroll/.test(getComputedStyle(element).overflowX);
    if (scrolls && element.scrollWidth > element.clientWidth + 1) faults.push(`a part scrolls: ${name(element)}`);
  }
  return faults;
})()"""

# Returns the words that are broken inside. Words of scripts without spaces can break, and what is longer than 20 letters
# without a space or contains the signs of code, as hostile titles do.
WORDS = r"""(() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), range = document.createRange();
  const broken = new Set();
  for (let node; node = walker.nextNode();) {
    const tokens = [...node.data.matchAll(/\S{21,}|\S*[<>\\{}"]\S*/gu)].map((token) => [token.index, token.index + token[0].length]);
    for (const word of node.data.matchAll(/[\p{L}\p{N}]+/gu)) {
      if (tokens.some(([start, end]) => start <= word.index && word.index < end)) continue;
      if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(word[0])) continue;
      range.setStart(node, word.index);
      range.setEnd(node, word.index + word[0].length);
      const boxes = [...range.getClientRects()].filter((box) => box.width > 0);
      if (boxes.some((box) => Math.abs(box.top - boxes[0].top) > 4)) broken.add(word[0]);
    }
  }
  return [...broken].map((word) => `broken word: ${word}`);
})()"""

# Returns texts with kana whose element does not say that they are Japanese. The language of table cells is unknown.
LANGUAGES = r"""(() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), faults = [];
  for (let node; node = walker.nextNode();) {
    if (!/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(node.data)) continue;
    const element = node.parentElement;
    if (element.closest("table, option, figcaption, code")) continue;
    if (element.closest("[lang]").lang.slice(0, 2) !== "ja") faults.push(`not lang=ja: ${node.data.trim().slice(0, 60)}`);
  }
  return faults;
})()"""

# Returns texts with less contrast than WCAG AA requires. Texts on pictures are not measured.
CONTRAST = r"""(() => {
  const numbers = (color) => (color.match(/[\d.]+/g) || []).map(Number);
  const luminance = (color) => {
    const [red, green, blue] = numbers(color).map((part) => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const background = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const color = getComputedStyle(at).backgroundColor, parts = numbers(color);
      if (parts.length === 3 || parts[3] === 1) return color;
    }
    return "rgb(255, 255, 255)";
  };
  const faults = new Set();
  for (const element of document.body.querySelectorAll("*")) {
    if (![...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim())) continue;
    if (element.closest("svg, option, .skip") || element.getBoundingClientRect().width === 0) continue;
    const style = getComputedStyle(element), size = parseFloat(style.fontSize);
    const isLarge = size >= 24 || size >= 18.66 && Number(style.fontWeight) >= 700;
    const pair = [luminance(style.color), luminance(background(element))].sort((one, other) => other - one);
    const ratio = (pair[0] + 0.05) / (pair[1] + 0.05);
    if (ratio < (isLarge ? 3 : 4.5)) faults.add(`contrast ${ratio.toFixed(1)}: ${element.outerHTML.slice(0, 100)}`);
  }
  return [...faults];
})()"""

FOCUSABLE = (
    'a[href], button:enabled, input:enabled:not([type=hidden]), select:enabled, textarea:enabled, summary, '
    'audio[controls]')

# Returns the focused element's number, or -1, and whether it can be seen with a mark of the focus.
FOCUS = r"""(() => {
  const element = document.activeElement, style = getComputedStyle(element), box = element.getBoundingClientRect();
  // A date field's button has the focus inside the field, with a mark of its own.
  const isMarked = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2 || !element.matches(":focus");
  const isVisible = box.width > 0 && box.height > 0 && box.right > 0 && box.left < innerWidth;
  return {number: [...document.querySelectorAll(%s)].indexOf(element), isMarked, isVisible,
          name: element.outerHTML.slice(0, 120)};
})()""" % json.dumps(FOCUSABLE)


class CheckError(Exception):
    pass


class Browser:
    """A headless Chromium with one tab, over the DevTools protocol in a pair of pipes."""

    def __init__(self, program):
        self.folder = tempfile.mkdtemp(prefix="syncctl-chromium.")
        os.chmod(self.folder, 0o700)
        commands, events = os.pipe(), os.pipe()
        # Chromium reads from descriptor 3 and writes to 4. High numbers do not collide with these.
        ends = [fcntl.fcntl(end, fcntl.F_DUPFD, 20) for end in (commands[0], events[1])]
        os.close(commands[0]), os.close(events[1])
        arguments = [
            program, "--headless", "--remote-debugging-pipe", f"--user-data-dir={self.folder}", "--no-first-run",
            "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-gpu",
            "--disable-dev-shm-usage", "--hide-scrollbars", "--lang=en-US",
            "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
        ] + (["--no-sandbox"] if os.geteuid() == 0 else []) + ["about:blank"]
        self.process = subprocess.Popen(
            ["bash", "-c", f'exec "$@" 3<&{ends[0]} 4>&{ends[1]}', "chromium", *arguments], pass_fds=ends,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        for end in ends: os.close(end)
        self.commands, self.events = os.fdopen(commands[1], "wb", 0), os.fdopen(events[0], "rb", 0)
        self.rest, self.number, self.session, self.handlers = b"", 0, None, []

    def open_tab(self):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log", "Accessibility"): self.call(f"{domain}.enable")

    def read(self, deadline):
        """Returns the next message. Handlers see events first."""
        while b"\0" not in self.rest:
            if not select.select([self.events], [], [], max(0, deadline - time.monotonic()))[0]:
                raise CheckError(f"Chromium sent nothing within {TIMEOUT} s")
            more = os.read(self.events.fileno(), 1 << 20)
            if not more: raise CheckError("Chromium ended")
            self.rest += more
        text, self.rest = self.rest.split(b"\0", 1)
        message = json.loads(text)
        if "method" in message:
            for handler in list(self.handlers): handler(message["method"], message["params"])
        return message

    def send(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session: message["sessionId"] = self.session
        self.commands.write(json.dumps(message).encode() + b"\0")
        return self.number

    def call(self, method, **parameters):
        number, deadline = self.send(method, **parameters), time.monotonic() + TIMEOUT
        while (message := self.read(deadline)).get("id") != number: pass
        if "error" in message: raise CheckError(f"{method}: {message['error']['message']}")
        return message["result"]

    def wait(self, method):
        """Waits for an event that has not arrived yet."""
        deadline = time.monotonic() + TIMEOUT
        while self.read(deadline).get("method") != method: pass

    def evaluate(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result: raise CheckError(result["exceptionDetails"]["exception"]["description"])
        return result["result"].get("value")

    def press(self, key, code):
        text = {"text": "\r"} if key == "Enter" else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, code=key, windowsVirtualKeyCode=code, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, code=key, windowsVirtualKeyCode=code)

    def resize(self, width, height=900):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def use(self, theme):
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": theme}])

    def close(self):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


class Check:
    """Opens pages of one site and collects faults."""

    def __init__(self, browser, base, shots=None, label="", pictures=False):
        self.browser, self.base, self.shots = browser, base.rstrip("/"), shots
        self.label, self.pictures = label, pictures
        self.faults, self.texts, self.status, self.url = [], [], None, ""
        browser.handlers = [self.handle]
        if pictures:
            browser.call("Fetch.enable", patterns=[{"urlPattern": "*", "resourceType": "Image"}])

    def fault(self, text):
        if text not in self.faults: self.faults.append(text)

    def is_own(self, url):
        return url == self.base or url.startswith((self.base + "/", self.base + "?", self.base + "#"))

    def handle(self, method, event):
        if method == "Runtime.exceptionThrown":
            self.fault(f"exception: {event['exceptionDetails'].get('text')}")
        elif method == "Runtime.consoleAPICalled" and event["type"] in ("error", "warning", "assert"):
            self.fault(f"console: {[part.get('value') for part in event['args']]}")
        elif method == "Log.entryAdded" and event["entry"]["level"] in ("error", "warning"):
            entry = event["entry"]
            # A page with an expected error status is logged, too.
            if not (entry.get("url") == self.url and entry["source"] == "network" and self.status == self.expected):
                self.fault(f"console: {entry['text']} {entry.get('url', '')}")
        elif method == "Network.requestWillBeSent":
            request = event["request"]
            if self.is_own(request["url"]) or request["url"].startswith("data:"): return
            isPicture = event.get("type") == "Image" and request["url"].startswith("https://")
            if not (self.pictures and isPicture): self.fault(f"a request off the origin: {request['url']}")
            elif request.get("referrerPolicy") != "no-referrer": self.fault(f"with a referrer: {request['url']}")
        elif method == "Network.responseReceived" and event["type"] == "Document":
            self.status = event["response"]["status"]
        elif method == "Fetch.requestPaused":
            # Pictures of the services are replaced, so that the check needs no network.
            url, number = event["request"]["url"], event["requestId"]
            if self.is_own(url) or not url.startswith("https://"):
                self.browser.send("Fetch.continueRequest", requestId=number)
            else:
                self.browser.send(
                    "Fetch.fulfillRequest", requestId=number, responseCode=200,
                    responseHeaders=[{"name": "Content-Type", "value": "image/svg+xml"}],
                    body=base64.b64encode(PLACEHOLDER).decode())

    def load(self, path, expected=200):
        """Loads a page. The window is wide and light."""
        browser = self.browser
        self.url, self.status, self.expected = self.base + path, None, expected
        browser.resize(SHOTS[-1])
        browser.use("light")
        browser.send("Page.navigate", url=self.url)
        browser.wait("Page.loadEventFired")
        if self.status != expected: self.fault(f"status {self.status}, not {expected}")
        browser.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = true })")

    def sign_in(self, address, base):
        """Opens an address with a token, or a file that leads to one. Its page must not have the token."""
        self.browser.send("Page.navigate", url=address)
        deadline = time.monotonic() + TIMEOUT
        while time.monotonic() < deadline:
            place, shown = self.browser.evaluate("[location.href, document.body ? document.body.innerText : '']")
            if place == base + "/" and shown: break
            time.sleep(0.1)
        else:
            raise CheckError(f"the browser is at {urllib.parse.urlsplit(place)._replace(query='').geturl()}")
        if "not signed in" in shown: raise CheckError("the first page after signing in is of a stranger")

    def page(self, path, expected=200):
        """Checks a page. Returns its structure, which is empty if the page cannot be checked to the end."""
        self.faults = []
        try:
            return self.checked(path, expected)
        except CheckError as error:
            self.fault(str(error))
            return {"links": [], "navigation": []}

    def checked(self, path, expected):
        browser = self.browser
        self.load(path, expected)
        page = browser.evaluate(STRUCTURE)
        # A reload would move the focus and destroy the scripts' context.
        if page["refreshes"]: browser.call("Page.stopLoading")
        self.texts.append(page["text"])
        for fault in page["faults"] + browser.evaluate(LANGUAGES): self.fault(fault)
        for source in page["sources"]:
            if not self.is_own(source) and not self.pictures: self.fault(f"refers to another origin: {source}")
        backgrounds = set()
        for theme in ("light", "dark"):
            browser.use(theme)
            backgrounds.add(browser.evaluate("getComputedStyle(document.documentElement).backgroundColor"))
            for fault in browser.evaluate(CONTRAST): self.fault(f"{theme}: {fault}")
            for width in WIDTHS:
                browser.resize(width)
                for fault in browser.evaluate(OVERFLOW): self.fault(f"{width} px: {fault}")
                for fault in browser.evaluate(WORDS): self.fault(f"{width} px: {fault}")
                if self.shots and width in SHOTS: self.shoot(path, width, theme)
        if len(backgrounds) < 2: self.fault("light and dark have the same background")
        browser.use("light")
        for width in (SHOTS[0], SHOTS[-1]):
            browser.resize(width)
            self.names(width, page["tables"])
            self.tab(width)
        return page

    def shoot(self, path, width, theme):
        if self.pictures:
            # Scrolling loads lazy pictures.
            self.browser.evaluate("""new Promise((done) => { scrollTo(0, document.body.scrollHeight);
                setTimeout(() => { scrollTo(0, 0); done(1) }, 200) })""")
        height = self.browser.evaluate("document.documentElement.scrollHeight")
        clip = {"x": 0, "y": 0, "width": width, "height": max(1, min(height, LONGEST_SHOT)), "scale": 1}
        picture = self.browser.call("Page.captureScreenshot", clip=clip, captureBeyondViewport=True)["data"]
        name = re.sub(r"[^A-Za-z0-9]+", "-", urllib.parse.unquote(path)).strip("-")[:60] or "index"
        (self.shots / f"{self.label}-{name}-{width}-{theme}.png").write_bytes(base64.b64decode(picture))

    def names(self, width, tables):
        """Checks the accessible names that Chromium computes, and that all tables are still tables."""
        roles = {
            "link", "button", "textbox", "searchbox", "combobox", "spinbutton", "checkbox", "radio", "image", "table",
            "navigation"}
        found = 0
        for node in self.browser.call("Accessibility.getFullAXTree")["nodes"]:
            role, name = node.get("role", {}).get("value"), node.get("name", {}).get("value", "").strip()
            if node.get("ignored") or role not in roles: continue
            found += role == "table"
            if not name: self.fault(f"{width} px: a {role} without a name")
        if found != tables: self.fault(f"{width} px: {found} of {tables} tables are exposed as tables")

    def tab(self, width):
        """Presses Tab until the focus is back at the beginning."""
        browser = self.browser
        # The next Tab starts at the body.
        browser.evaluate("document.body.tabIndex = -1; document.body.focus(); document.body.removeAttribute('tabindex')")
        # A narrow page can hide a button.
        shown = browser.evaluate(
            f"[...document.querySelectorAll({json.dumps(FOCUSABLE)})]"
            ".flatMap((element, at) => element.getClientRects().length ? [at] : [])")
        count = len(shown)
        reached = set()
        # A date field has several stops.
        for _ in range(6 * count + 20):
            browser.press("Tab", 9)
            focus = browser.evaluate(FOCUS)
            number = focus["number"]
            if number < 0 or number == 0 and len(reached) > 1: break
            if not focus["isVisible"]: self.fault(f"{width} px: focused but not visible: {focus['name']}")
            if not focus["isMarked"]: self.fault(f"{width} px: no mark of the focus: {focus['name']}")
            reached.add(number)
        if set(shown) - reached:
            missing = min(set(shown) - reached)
            name = browser.evaluate(f"document.querySelectorAll({json.dumps(FOCUSABLE)})[{missing}].outerHTML")
            self.fault(f"{width} px: Tab reaches {len(reached)} of {count} links and fields, not {name[:120]}")

    def heart(self, path, favorites):
        """Sets a heart with the keyboard, compares it with the command's list, and removes it again."""
        self.faults = []
        self.load(path)
        form = 'form.heart[action="%s"]'
        sent = self.browser.evaluate(
            f"Object.fromEntries(new FormData(document.querySelector({json.dumps(form % '/favorites')})))")
        item = {name: sent[name] for name in ("source", "kind", "id", "collection") if name in sent}
        same = "".join(f':has(input[name={name}][value="{item[name]}"])' for name in ("source", "kind", "id"))

        def is_listed():
            output = subprocess.run(favorites, shell=True, check=True, capture_output=True, text=True).stdout
            rows = [json.loads(line) for line in output.splitlines()]
            return any(all(str(row[name]) == item[name] for name in item) for row in rows)

        for action, is_set in ("/favorites", True), ("/favorites/remove", False):
            if is_listed() == is_set: self.fault(f"{item} is already in the state to be made")
            button = json.dumps(f"{form % action}{same} button")
            self.browser.evaluate(f"document.querySelector({button}).focus()")
            self.browser.press("Enter", 13)
            deadline = time.monotonic() + TIMEOUT
            after = form % ("/favorites/remove" if is_set else "/favorites") + same
            while not self.has(after) and time.monotonic() < deadline: time.sleep(0.1)
            if not self.has(after): return self.fault(f"after {action}, the page does not show the heart's new state")
            place = urllib.parse.urldefrag(self.browser.evaluate("location.href"))[0]
            if place != self.url: self.fault("the form did not return to its page")
            if is_listed() != is_set: self.fault(f"after {action}, the list {'lacks' if is_set else 'has'} {item}")

    def has(self, selector):
        try:
            return self.browser.evaluate(f"document.querySelector({json.dumps(selector)}) !== null")
        except CheckError:
            return False  # The page is being replaced.

    def refreshes(self, path):
        self.faults = []
        self.load(path)
        started = time.monotonic()
        try:
            self.browser.wait("Page.loadEventFired")
        except CheckError:
            self.fault("does not load itself again")
        if not 3 < time.monotonic() - started < 10: self.fault("does not load itself again after 5 s")


def form_of(path, each):
    """The form of a page's path: pages of the same form differ only in a name, a number or values of the query. Reports
    have a form each, because their columns differ, unless one page of each form is enough."""
    parts = urllib.parse.urlsplit(path)
    segments = parts.path.strip("/").split("/")
    names = sorted(name for name, _ in urllib.parse.parse_qsl(parts.query))
    return (segments[0], len(segments), segments[0] == "reports" and each > 1 and segments[-1], *names)


def crawl(check, starts, each, limit, expected):
    """Checks pages from `starts` on. Returns the paths with the pages' structures."""
    opened, counts, combined, failed = {}, {}, {}, 0
    queue = [(path, True) for path in starts]
    while queue and len(opened) < limit:
        path, is_named = queue.pop(0)
        if path in opened: continue
        form = form_of(path, each)
        counts[form] = counts.get(form, 0) + 1
        if counts[form] > each and not is_named: continue
        # The filters of a page have very many combinations.
        combined[form[:3]] = combined.get(form[:3], 0) + 1
        if combined[form[:3]] > 4 * each and not is_named: continue
        opened[path] = page = check.page(path, expected)
        failed += report(check, path)
        for link in page["navigation"] + page["links"]:
            link = urllib.parse.urldefrag(link)[0]
            if check.is_own(link): queue.append((link[len(check.base):] or "/", link in page["navigation"]))
    return opened, failed


def report(check, what):
    print(f"{'FAIL' if check.faults else 'ok'}  {check.label} {what}", flush=True)
    for fault in check.faults[:20]: print(f"      {fault}", flush=True)
    return bool(check.faults)


GOOD = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>t</title><meta name="viewport" content="width=device-width">
<link rel="stylesheet" href="/style.css"><link rel="icon" href="/a.png"></head>
<body><header><nav aria-label="Pages"><a href="/">Home</a></nav></header><main><h1>Home</h1>%s</main></body></html>"""

# Parts of a page with a fault, and a word of the message about it.
FAULTS = {
    "": None,
    '<p id="wide">wide</p>': "px: scrolls to",
    '<div id="scroller"><p id="wide">wide</p></div>': "a part scrolls",
    "<script>console.error(1)</script>": "console:",
    "<script>undefined.x</script>": "exception",
    '<img src="/missing.png" alt="" loading="lazy" referrerpolicy="no-referrer">': "404",
    '<img src="https://example.org/a.png" alt="a" referrerpolicy="no-referrer" loading="lazy">': "off the origin",
    '<img src="http://localhost:9/a.png" alt="a" referrerpolicy="no-referrer" loading="lazy">': "off the origin",
    '<img src="/a.png" loading="lazy" referrerpolicy="no-referrer">': "no alt",
    "<h1>again</h1>": "2 × h1",
    "<h3>deep</h3>": "h3 follows h1",
    "<main></main>": "2 × main",
    '<table><tr><th scope="col">a</th></tr></table>': "no caption",
    "<form><input name=a></form>": "no label",
    '<form><button class="tiny">x</button></form>': "smaller than 24 px",
    '<p><a href="/"></a></p>': "a link without a name",
    '<p><a href="/" tabindex="-1">no</a></p>': "Tab reaches",
    '<p><a href="/" class="plain">no</a></p>': "no mark of the focus",
    '<p><a href="/" class="off">no</a></p>': "not visible",
    '<p onclick="x()">a</p>': "can run a script",
    "<p>a\u202eb</p>": "bidirectional",
    '<table role="none"><caption>c</caption><tr><td>1</td></tr></table>': "exposed as tables",
    '<p class="narrow">unbreakable</p>': "broken word",
    "<p>葬送のフリーレン</p>": "not lang=ja",
    '<p lang="ja">葬送のフリーレン</p>': None,
    '<p class="pale">pale</p>': "light: contrast",
}
STYLE = """html { background: #fff } @media (prefers-color-scheme: dark) { html { background: #000 } }
:focus-visible { outline: 3px solid #00f } #wide { width: 1200px } #scroller { overflow: auto; width: 100px }
.tiny { width: 9px; height: 9px; padding: 0 } .plain:focus-visible { outline: none }
.off { position: absolute; left: -999px } .narrow { width: 2em; overflow-wrap: anywhere } .pale { color: #999 }
@media (prefers-color-scheme: dark) { html { color: #fff } a { color: #aaf } }"""


def self_test(browser):
    pages = [GOOD % part for part in FAULTS]

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            status, kind, text = 404, "text/plain", "missing"
            if self.path == "/style.css": status, kind, text = 200, "text/css", STYLE
            elif self.path == "/a.png": status, kind, text = 200, "image/svg+xml", PLACEHOLDER.decode()
            elif self.path[1:].isdigit(): status, kind, text = 200, "text/html", pages[int(self.path[1:])]
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, *_): pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    missed = 0
    for number, (part, word) in enumerate(FAULTS.items()):
        check = Check(browser, f"http://127.0.0.1:{server.server_port}")
        check.page(f"/{number}")
        if not (any(word in fault for fault in check.faults) if word else not check.faults):
            missed += 1
            print(f"MISSED  {part or 'a page without faults'}: {check.faults}")
    server.shutdown()
    print(f"{'FAIL' if missed else 'ok'}  {len(FAULTS) - 1} planted faults, {missed} missed")
    return missed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("url", nargs="?")
    parser.add_argument("--self-test", action="store_true")
    parser.add_argument("--chromium", default="chromium")
    parser.add_argument("--label", default="web", help="the beginning of the screenshots' names")
    parser.add_argument("--shots", type=Path, help="the folder of the screenshots")
    parser.add_argument("--start", action="append", default=[], help="a path to begin with (default: /)")
    parser.add_argument("--each", type=int, default=2, help="pages to open of each form; 0 opens only the starts")
    parser.add_argument("--limit", type=int, default=150, help="pages to open at most")
    parser.add_argument("--status", type=int, default=200, help="the status that all pages must have")
    parser.add_argument("--pictures", action="store_true", help="pages can show pictures of other servers")
    parser.add_argument("--reaches", action="append", default=[], help="a regular expression of a path that is linked")
    parser.add_argument("--shows", action="append", default=[], help="a text that a page shows")
    parser.add_argument("--refreshes", help="a path that loads itself again")
    parser.add_argument("--opens", help="a file that leads to the pages and signs the browser in")
    parser.add_argument("--favorites", help="the command that lists favorites as NDJSON; a heart must change it")
    options = parser.parse_args()
    browser = Browser(options.chromium)
    try:
        browser.open_tab()
        if options.self_test: sys.exit(bool(self_test(browser)))
        if options.shots: options.shots.mkdir(parents=True, exist_ok=True)
        check = Check(browser, options.url, options.shots, options.label, options.pictures)
        # The token is not an argument, because other users of the machine can see arguments.
        token = os.environ.get("SYNCCTL_CHECK_TOKEN")
        if token: check.sign_in(f"{check.base}/?token={token}", check.base)
        if options.opens: check.sign_in(Path(options.opens).as_uri(), check.base)
        starts = options.start or ["/"]
        limit = options.limit if options.each else len(starts)
        opened, failed = crawl(check, starts, options.each, limit, options.status)
        for form in options.reaches:
            if not any(re.fullmatch(form, path) for path in opened):
                failed += 1
                print(f"FAIL  {options.label}: no link leads to {form}")
        for text in options.shows:
            if not any(text in shown for shown in check.texts):
                failed += 1
                print(f"FAIL  {options.label}: no page shows {text!r}")
        if options.refreshes:
            check.refreshes(options.refreshes)
            failed += report(check, f"{options.refreshes}: loads itself again")
        if options.favorites:
            selector = 'form.heart[action="/favorites"]'
            for path in opened:
                check.load(path)
                if check.has(selector): break
            else:
                print(f"FAIL  {options.label}: no page has a heart to set")
                sys.exit(1)
            check.heart(path, options.favorites)
            failed += report(check, f"{path}: a heart")
        print(f"{options.label}: {len(opened)} pages, {failed} with faults", flush=True)
        sys.exit(bool(failed))
    finally:
        browser.close()


main()
