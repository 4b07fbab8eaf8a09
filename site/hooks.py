"""Shows the version in the header."""


def on_config(config):
    config["site_name"] = f"Lifeguard {config['extra']['version_label']}"
    return config
