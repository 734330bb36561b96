"""The HTML report in a real browser: headless Chromium opens the file, and filters, search, languages and colours are
used as a reader would use them."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

TOP = pathlib.Path(__file__).parents[2]
PTO_FIX = os.environ.get("PTO_FIX", str(TOP / "build/release/pto-fix"))
SKIPPED = 77  # for ctest

try:
    from selenium import webdriver
    from selenium.common.exceptions import StaleElementReferenceException
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.ui import Select, WebDriverWait
except ImportError:
    print("selenium is missing: tools/setup --html")
    sys.exit(SKIPPED)
CHROMIUM = shutil.which("chromium")
DRIVER = shutil.which("chromedriver")
if not CHROMIUM or not DRIVER:
    print("chromium or its driver is missing: tools/setup --html")
    sys.exit(SKIPPED)

# What a page must not become, whatever it shows.
HOSTILE = "import pypto\n\nx = 1  # pto-fix: ignore[PTO999</script><img/src=x/onerror=document.title='broken'><!--]\n"


class PageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="pto-fix-html-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        for rule in sorted((TOP / "fixtures").iterdir()):
            for number, case in enumerate(sorted(rule.glob("*.py"))[:6]):
                target = cls.folder / "models" / f"model_{len(rule.name) + number}" / f"{rule.name}_{case.name}"
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(case, target)
        (cls.folder / "models/hostile <script> & 中文").mkdir()
        (cls.folder / "models/hostile <script> & 中文/k.py").write_text(HOSTILE)
        (cls.folder / "models/bad.py").write_bytes(b"pypto\0")
        for name in ("report", "chinese"):
            lang = "zh" if name == "chinese" else "en"
            cls.run_program("--lang", lang, "--output", name + ".html", "--output", name + ".json", "models")
        cls.found = json.loads((cls.folder / "report.json").read_text())["findings"]
        options = webdriver.ChromeOptions()
        options.binary_location = CHROMIUM
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                         "--window-size=1280,900", f"--user-data-dir={cls.folder}/profile"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        cls.browser = webdriver.Chrome(service=Service(DRIVER), options=options)
        cls.addClassCleanup(cls.browser.quit)

    @classmethod
    def run_program(cls, *arguments):
        done = subprocess.run([PTO_FIX, *arguments], cwd=cls.folder, capture_output=True, timeout=300,
                              env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"})
        assert done.returncode in (0, 1, 2) and b"internal" not in done.stderr, done
        return done

    def setUp(self):
        self.open("report.html")

    def open(self, name):
        self.browser.get((self.folder / name).as_uri())
        self.browser.execute_script("try { localStorage.clear() } catch {}")
        self.browser.get((self.folder / name).as_uri())

    def all(self, selector):
        return self.browser.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector):
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def listed(self):
        return [e.get_attribute("data-rule") for e in self.all("#list details.finding")]

    def wait(self, condition):
        # The page may lay its list out anew between two looks at it.
        WebDriverWait(self.browser, 20, ignored_exceptions=[StaleElementReferenceException]).until(lambda _: condition())

    def open_all(self):
        self.one("#open-all").click()
        self.wait(lambda: len(self.all("#list .body")) == len(self.all("#list details")))

    def choose(self, label, value):
        Select(self.one(label)).select_by_value("=" + value)

    def screenshot(self, name):
        folder = os.environ.get("PTOFIX_SCREENSHOTS")
        if folder:
            self.browser.save_screenshot(str(pathlib.Path(folder) / (name + ".png")))

    def test_totals_are_those_of_json(self):
        for severity in ("error", "warning", "info"):
            shown = self.one(f'[data-total="{severity}"] b').text
            self.assertEqual(shown, str(sum(f["severity"] == severity for f in self.found)))
        safe = sum(bool(f["fix"]) and f["fix"]["applicability"] == "safe" for f in self.found)
        self.assertEqual(self.one('[data-total="safe"] b').text, str(safe))
        groups = {e.get_attribute("data-value"): e.find_element(By.CSS_SELECTOR, ".number").text
                  for e in self.all('[data-group="rule"]')}
        for rule, count in groups.items():
            self.assertEqual(count, str(sum(f["rule"] == rule for f in self.found)))
        self.assertIn("bad.py", self.one(".note").text)
        self.screenshot("light")

    def test_nothing_is_fetched_and_nothing_breaks_out(self):
        self.assertEqual(self.browser.title, "pto-fix report")
        self.open_all()
        self.assertEqual(self.all("img"), [])
        self.assertEqual([e for e in self.browser.get_log("browser") if e["level"] == "SEVERE"], [])
        for entry in self.browser.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                self.assertRegex(message["params"]["request"]["url"], r"^(file|data|chrome):")
        text = (self.folder / "report.html").read_text()
        self.assertEqual(text.count("</script>"), 2)
        self.assertNotRegex(text, r'(src|href)="(?!#)')

    def test_filters(self):
        self.choose("#by-rule", "PTO101")
        self.assertEqual(set(self.listed()), {"PTO101"})
        self.assertEqual(len(self.listed()), min(100, sum(f["rule"] == "PTO101" for f in self.found)))
        self.choose("#by-severity", "info")
        expected = sum(f["rule"] == "PTO101" and f["severity"] == "info" for f in self.found)
        self.assertEqual(len(self.listed()), expected)
        self.assertIn(f"of {expected} shown, {len(self.found)} in all", self.one("#count").text)
        self.one("#filters button[type=reset]").click()
        self.assertGreater(len(set(self.listed())), 5)
        self.choose("#by-fix", "none")
        self.assertTrue(all(not e.find_elements(By.CSS_SELECTOR, ".chip.safe") for e in self.all("#list details")))
        self.one("#filters button[type=reset]").click()
        button = self.one('[data-group="model"][data-value="model_6"]')
        count = button.find_element(By.CSS_SELECTOR, ".number").text
        button.click()
        button = self.one('[data-group="model"][data-value="model_6"]')
        self.assertEqual(button.get_attribute("aria-pressed"), "true")
        self.assertIn(f"of {count} shown", self.one("#count").text)
        self.assertTrue(all("model_6/" in e.text for e in self.all("#list summary .place")))
        button.click()
        self.assertIn(f"of {len(self.found)} shown", self.one("#count").text)

    def test_search(self):
        self.one("#q").send_keys("pto2 MODEL_6")
        self.wait(lambda: self.listed() and all(r.startswith("PTO2") for r in self.listed()))
        self.one("#q").send_keys("xyzzy")
        self.wait(lambda: not self.listed())
        self.assertIn("No finding matches", self.one("#list").text)

    def test_order_and_more(self):
        Select(self.one("#order")).select_by_value("severity")
        ranks = ["error warning info".split().index(e.get_attribute("class").split()[1]) for e in self.all("#list details")]
        self.assertEqual(ranks, sorted(ranks))
        if len(self.found) > 100:
            self.assertEqual(len(self.listed()), 100)
            self.one("#more").click()
            self.assertEqual(len(self.listed()), min(200, len(self.found)))

    def test_a_finding_by_keyboard(self):
        self.choose("#by-rule", "PTO101")
        self.choose("#by-fix", "safe")
        self.one("#list summary").send_keys(Keys.ENTER)
        self.wait(lambda: self.all("#list details[open] .body"))
        body = self.one("#list details[open] .body")
        self.assertTrue(body.find_elements(By.CSS_SELECTOR, "pre .removed"))
        self.assertTrue(body.find_elements(By.CSS_SELECTOR, "pre .added"))
        before = body.find_element(By.CSS_SELECTOR, '[data-pool="UB"][data-when="before"]')
        after = body.find_element(By.CSS_SELECTOR, '[data-pool="UB"][data-when="after"]')
        self.assertIn("over the limit", before.text)
        self.assertNotIn("over the limit", after.text)
        bar = before.find_element(By.CSS_SELECTOR, ".track i"), after.find_element(By.CSS_SELECTOR, ".track i")
        self.assertGreater(bar[0].size["width"], bar[1].size["width"])
        self.assertIn("\u2192", body.find_element(By.CSS_SELECTOR, ".estimate").text)
        self.browser.execute_script("arguments[0].scrollIntoView()", self.one("#list"))
        self.screenshot("finding")

    def test_the_diff_is_the_fix(self):
        """What is shown as removed and added is what --diff prints, for a file with one finding."""
        name = next(f["path"] for f in self.found if f["rule"] == "PTO101" and f["fix"] and f["fix"]["applicability"] == "safe"
                    and sum(g["path"] == f["path"] for g in self.found) == 1)
        printed = self.run_program("--diff", name).stdout.decode().splitlines()
        self.one("#q").send_keys(name.lower())
        self.wait(lambda: len(self.listed()) == 1)
        self.open_all()
        shown = [e.get_attribute("textContent")[2:] for e in self.all(".body pre .removed, .body pre .added")]
        self.assertEqual(shown, [line[1:] for line in printed if line[:1] in "+-" and line[:3] not in ("+++", "---")])

    def test_languages(self):
        self.open_all()
        english, english_notes = self.one("main").text, self.one("#notes").text
        self.one("#language").click()
        self.assertEqual(self.browser.title, "pto-fix 报告")
        self.assertEqual(self.one("html").get_attribute("lang"), "zh-CN")
        chinese, chinese_notes = self.one("main").text, self.one("#notes").text
        self.assertIn("按规则", chinese)
        self.assertNotRegex(chinese, r"\{\w+[:}]|undefined|null|html\.|NaN")
        self.assertNotRegex(english, r"\{\w+[:}]|undefined|null|html\.|NaN")
        for heading in self.all("h2, h3, th, label span, button, option"):
            text = heading.get_attribute("textContent")
            self.assertTrue(text.strip())
        self.screenshot("zh")
        self.open("chinese.html")
        self.assertEqual(self.browser.title, "pto-fix 报告")
        self.open_all()
        # But for what could not be read: that is in the language of the run.
        notes = self.one("#notes").text
        self.assertEqual(self.one("main").text.replace(notes, ""), chinese.replace(chinese_notes, ""))
        self.one("#language").click()
        notes = self.one("#notes").text
        self.assertEqual(self.one("main").text.replace(notes, ""), english.replace(english_notes, ""))

    CONTRAST = """
      const parse = (text) => (text.match(/[\\d.]+/g) || []).map(Number);
      const light = ([r, g, b]) => [r, g, b].map((v) => { v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; })
        .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
      const ground = (e) => { for (; e; e = e.parentElement) { const c = parse(getComputedStyle(e).backgroundColor);
        if (c.length === 3 || c[3] > 0) return c; } return [255, 255, 255]; };
      const poor = [];
      for (const e of document.querySelectorAll("body *")) {
        const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
        if (!own || !e.getClientRects().length) continue;
        const [a, b] = [light(parse(getComputedStyle(e).color)), light(ground(e))].sort((x, y) => y - x);
        const ratio = (a + 0.05) / (b + 0.05);
        if (ratio < 4.5) poor.push(e.tagName + "." + e.className + " " + ratio.toFixed(2) + " " + e.textContent.slice(0, 30));
      }
      return [...new Set(poor)];"""

    def test_colours_have_contrast_in_both_themes(self):
        self.open_all()
        grounds = set()
        for _ in range(2):
            self.assertEqual(self.browser.execute_script(self.CONTRAST), [])
            grounds.add(self.one("body").value_of_css_property("background-color"))
            self.one("#theme").click()
        self.assertEqual(len(grounds), 2)
        self.one("#theme").click()
        self.assertEqual(self.one("html").get_attribute("data-theme"), "dark")
        self.browser.execute_script("window.scrollTo(0, 0)")
        self.screenshot("dark")
        self.browser.get((self.folder / "report.html").as_uri())  # is remembered
        self.assertEqual(self.one("html").get_attribute("data-theme"), "dark")

    def test_landmarks_and_names(self):
        for landmark in ("header", "main", "footer", "form[role=search][aria-label]", "h1"):
            self.assertEqual(len(self.all(landmark)), 1, landmark)
        for control in self.all("input, select"):
            self.assertTrue(control.find_element(By.XPATH, "./ancestor::label/span").get_attribute("textContent"))
        for section in self.all("main > section"):
            self.assertTrue(self.one("#" + section.get_attribute("aria-labelledby")).text)
        ids = [e.get_attribute("id") for e in self.all("[id]")]
        self.assertEqual(len(ids), len(set(ids)))

    def test_a_narrow_window(self):
        self.open_all()
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                     {"width": 400, "height": 800, "deviceScaleFactor": 1, "mobile": True})
        try:
            self.assertLessEqual(self.browser.execute_script("return document.documentElement.scrollWidth"), 400)
            self.browser.execute_script("window.scrollTo(0, 0)")
            self.screenshot("narrow")
            self.browser.execute_script("arguments[0].scrollIntoView()", self.one("#list"))
            self.screenshot("narrow_list")
        finally:
            self.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})

    def test_five_thousand_findings(self):
        """Each action answers within two seconds; so does the page itself when it is opened."""
        many = self.folder / "many"
        kernel = (TOP / "fixtures/PTO101/seed.py").read_text()
        for i in range(50):
            (many / f"m{i % 10}").mkdir(parents=True, exist_ok=True)
            (many / f"m{i % 10}/k{i}.py").write_text(kernel + "x = 1  # pto-fix: ignore[PTO999] words\n" * 100)
        self.run_program("--output", "many.html", "many")
        self.open("many.html")
        self.assertEqual(self.one('[data-total="warning"] b').text, "5,000")
        self.assertLess(self.browser.execute_script(
            "const t = performance.getEntriesByType('navigation')[0]; return t.domComplete - t.responseEnd"), 2000)
        timed = lambda script: self.browser.execute_script("const t = performance.now();" + script + ";return performance.now() - t")
        change = "e.dispatchEvent(new Event('change'))"
        self.assertLess(timed(f"const e = document.querySelector('#by-rule'); e.value = '=PTO101'; {change}"), 2000)
        self.assertEqual(set(self.listed()), {"PTO101"})
        self.assertLess(timed(f"const e = document.querySelector('#by-rule'); e.value = ''; {change}"), 2000)
        self.assertLess(timed("document.querySelector('#open-all').click(); document.body.offsetHeight"), 2000)
        self.assertLess(timed("document.querySelector('#language').click(); document.body.offsetHeight"), 2000)


if __name__ == "__main__":
    unittest.main(verbosity=1)
