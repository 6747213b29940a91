"""Chromium without a window, driven through chromedriver."""

from __future__ import annotations

import contextlib
import os
import pathlib
import shutil
from collections.abc import Iterator

from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException, WebDriverException
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.support.ui import WebDriverWait


def browser_programs() -> tuple[str, str] | None:
    """Paths of the browser and its driver, or None where there is none."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    driver = shutil.which("chromedriver")
    return (browser, driver) if browser and driver else None


def open_browser(folder: pathlib.Path, hosts: list[str] | None = None) -> webdriver.Chrome:
    """`hosts`: names, or patterns of names, that resolve to this machine."""
    programs = browser_programs()
    assert programs is not None
    options = Options()
    options.binary_location = programs[0]
    for argument in (
        "--headless=new",
        "--no-sandbox",  # root, as in most CI containers, cannot have Chromium's sandbox
        "--disable-dev-shm-usage",
        "--disable-gpu",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-features=HttpsUpgrades,OptimizationHints,MediaRouter",
        # The tests run without a way out: nothing but loopback resolves.
        f"--host-resolver-rules={''.join(f'MAP {name} 127.0.0.1, ' for name in hosts or [])}MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
        "--no-proxy-server",
        f"--user-data-dir={folder}",
    ):
        options.add_argument(argument)
    service = Service(programs[1], log_output=os.devnull)
    driver = webdriver.Chrome(options=options, service=service)
    driver.set_page_load_timeout(30)
    return driver


class Browsers:
    """Browsers that tests use one after another: to start one takes two seconds of processor time."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder
        self.free: list[webdriver.Chrome] = []
        self.opened = 0

    @contextlib.contextmanager
    def borrowed(self) -> Iterator[webdriver.Chrome]:
        """A browser without cookies, storage, history and authenticators."""
        if not self.free:
            self.free.append(open_browser(self.folder / str(self.opened)))
            self.opened += 1
        driver = self.free.pop()
        try:
            yield driver
            self.wipe(driver)
        except BaseException:
            driver.quit()
            raise
        self.free.append(driver)

    @staticmethod
    def wipe(driver: webdriver.Chrome) -> None:
        """A window of its own has the history, the session storage and the authenticators of a test."""
        old = driver.window_handles
        driver.switch_to.new_window("tab")
        new = driver.current_window_handle
        for handle in old:
            driver.switch_to.window(handle)
            driver.close()
        driver.switch_to.window(new)
        driver.execute_cdp_cmd("Network.clearBrowserCookies", {})
        driver.execute_cdp_cmd("Network.clearBrowserCache", {})
        driver.execute_cdp_cmd("Storage.clearDataForOrigin", {"origin": "*", "storageTypes": "all"})
        driver.get_log("browser")

    def close(self) -> None:
        for driver in self.free:
            driver.quit()


def wait_for(driver: webdriver.Chrome, condition, what: str, timeout: float = 15):
    """What `condition` returns once it is true. A page that goes while it is read counts as not yet."""
    def held(current):
        try:
            return condition(current)
        except StaleElementReferenceException:
            return False
        except WebDriverException as error:
            # chromedriver's other answer about an element of the page before.
            if "does not belong to the document" not in str(error):
                raise
            return False

    return WebDriverWait(driver, timeout, poll_frequency=0.05).until(
        held, f"{what}; the address is {driver.current_url}\n{driver.page_source[:1500]}"
    )
